-- Who is told what happens in a project: each has a lane of its own, so that none waits for another.
CREATE TABLE cell.subscribers (
  project_id      bigint      NOT NULL,
  lane            int         GENERATED ALWAYS AS IDENTITY,
  kind            text        NOT NULL,
  -- What its kind calls it.
  name            text        NOT NULL,
  -- Such as orders.create, orders.*, *.delete, users.register.
  events          text[]      NOT NULL,
  -- The query language, on the document.
  filter          text,
  is_ordered      boolean     NOT NULL DEFAULT false,
  -- Null: it is served.
  disabled_at     timestamptz,
  disabled_reason text,
  -- More is waiting than may: whatever would add to it is refused for now.
  is_full         boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, lane),
  UNIQUE (project_id, kind, name)
);

-- What they are still to be told. Rows are written in the transaction of their cause.
CREATE TABLE cell.deliveries (
  project_id bigint      NOT NULL,
  lane       int         NOT NULL,
  seq        bigint      GENERATED ALWAYS AS IDENTITY,
  -- The same for everyone who is told of one event.
  id         uuid        NOT NULL,
  event      text        NOT NULL,
  payload    json        NOT NULL,
  bytes      int         NOT NULL,
  -- How many hooks have led to it.
  depth      smallint    NOT NULL DEFAULT 0,
  attempts   smallint    NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  due_at     timestamptz NOT NULL DEFAULT now(),
  last_error text,
  PRIMARY KEY (project_id, lane, seq)
);
CREATE INDEX deliveries_due ON cell.deliveries (project_id, lane, due_at);

-- Which node serves a lane, and how that goes. Writers never touch this: it would keep them waiting for one another.
CREATE TABLE cell.lanes (
  project_id    bigint      NOT NULL,
  lane          int         NOT NULL,
  held_by       uuid,
  held_until    timestamptz,
  -- When there is something to do; it may be earlier than that, and while a node holds the lane it is.
  due_at        timestamptz,
  paused_until  timestamptz,
  -- In a row.
  failures      int         NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- In a row, each twice as long as the one before.
  pauses        int         NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, lane)
);
CREATE INDEX lanes_due ON cell.lanes (due_at) WHERE due_at IS NOT NULL;

-- What was tried as often as it is tried. Kept for 30 days.
CREATE TABLE cell.dead_deliveries (
  project_id bigint      NOT NULL,
  lane       int         NOT NULL,
  seq        bigint      NOT NULL,
  id         uuid        NOT NULL,
  event      text        NOT NULL,
  payload    json        NOT NULL,
  bytes      int         NOT NULL,
  depth      smallint    NOT NULL,
  attempts   smallint    NOT NULL,
  created_at timestamptz NOT NULL,
  died_at    timestamptz NOT NULL DEFAULT now(),
  last_error text,
  PRIMARY KEY (project_id, lane, seq)
);
CREATE INDEX dead_deliveries_id ON cell.dead_deliveries (project_id, lane, id);
CREATE INDEX dead_deliveries_died ON cell.dead_deliveries (died_at);

-- What was sent, and what came back, for lanes that keep this. Kept for 7 days, and a bounded number for each lane.
CREATE TABLE cell.delivery_attempts (
  project_id   bigint      NOT NULL,
  lane         int         NOT NULL,
  number       bigint      GENERATED ALWAYS AS IDENTITY,
  id           uuid        NOT NULL,
  event        text        NOT NULL,
  attempt      smallint    NOT NULL,
  at           timestamptz NOT NULL DEFAULT now(),
  is_delivered boolean     NOT NULL,
  ms           int         NOT NULL,
  error        text,
  -- What its kind notes: for a webhook the status and the answer.
  note         json,
  -- Of what was delivered: it can be sent again.
  payload      json,
  bytes        int         NOT NULL,
  PRIMARY KEY (project_id, lane, number)
);
CREATE INDEX delivery_attempts_id ON cell.delivery_attempts (project_id, lane, id);
CREATE INDEX delivery_attempts_at ON cell.delivery_attempts (at);

-- Where webhooks go. What they want to hear of stands with their subscriber, which has their id as its name.
CREATE TABLE cell.webhooks (
  project_id  bigint      NOT NULL,
  id          uuid        NOT NULL,
  lane        int         NOT NULL,
  url         text        NOT NULL,
  description text        NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id)
);

-- What they are signed with. A secret that was replaced still signs until it expires.
CREATE TABLE cell.webhook_secrets (
  project_id bigint      NOT NULL,
  webhook    uuid        NOT NULL,
  number     bigint      GENERATED ALWAYS AS IDENTITY,
  secret     bytea       NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (project_id, webhook, number)
);
