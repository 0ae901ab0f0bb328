-- Functions that run at set times.
CREATE TABLE cell.schedules (
  project_id bigint      NOT NULL,
  -- That of the function.
  name       text        NOT NULL,
  lane       integer     NOT NULL,
  cron       text        NOT NULL,
  zone       text        NOT NULL,
  missed     text        NOT NULL,
  overlap    text        NOT NULL,
  is_paused  boolean     NOT NULL DEFAULT false,
  -- Null: it never comes again.
  next_at    timestamptz,
  last_at    timestamptz,
  PRIMARY KEY (project_id, name)
);
CREATE INDEX schedules_next ON cell.schedules (next_at) WHERE next_at IS NOT NULL AND NOT is_paused;
