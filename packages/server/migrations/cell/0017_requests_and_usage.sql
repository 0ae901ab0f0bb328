-- The request log. Ids begin with their time, so a day is a range of ids. Partitions are unlogged: nothing of them is in the
-- write-ahead log, and they are empty after a crash. Housekeeping makes and drops them.
CREATE TABLE cell.requests (
  project_id bigint   NOT NULL,
  id         uuid     NOT NULL,
  -- From the arrival of the call to the end of its answer.
  ms         real     NOT NULL,
  bytes_in   integer  NOT NULL,
  bytes_out  integer  NOT NULL,
  route      smallint NOT NULL,
  status     smallint NOT NULL,
  credential smallint NOT NULL,
  -- How many calls the row stands for.
  weight     smallint NOT NULL,
  user_id    uuid,
  account_id uuid,
  -- The network only.
  address    inet,
  -- Null where it may hold a secret: the route is then all there is.
  path       text,
  query      text,
  code       text,
  -- The request id, if the caller chose it.
  given_id   text,
  PRIMARY KEY (project_id, id)
) PARTITION BY RANGE (id);

-- What the numbers of routes mean.
CREATE TABLE cell.request_routes (
  number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  route  text     NOT NULL UNIQUE
);

-- What projects have used, hour by hour (UTC). Past 30 days the row of midnight stands for its day.
CREATE TABLE cell.usage_hours (
  project_id bigint      NOT NULL,
  hour       timestamptz NOT NULL,
  -- Each call is one of these.
  reads      bigint      NOT NULL,
  writes     bigint      NOT NULL,
  auths      bigint      NOT NULL,
  -- Some of them.
  failures   bigint      NOT NULL,
  limited    bigint      NOT NULL,
  ms_total   bigint      NOT NULL,
  bytes_in   bigint      NOT NULL,
  bytes_out  bigint      NOT NULL,
  -- How many took less than 1 ms, less than 2, less than 4 …
  durations  integer[]   NOT NULL,
  PRIMARY KEY (project_id, hour)
) WITH (fillfactor = 70);
CREATE INDEX usage_hours_hour ON cell.usage_hours (hour);

-- What each process has added last: a batch whose fate nobody knows can be sent again.
CREATE TABLE cell.usage_batches (
  process uuid        PRIMARY KEY,
  batch   bigint      NOT NULL,
  at      timestamptz NOT NULL DEFAULT now()
);
