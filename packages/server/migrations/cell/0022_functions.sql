-- The code of projects. A deployment is a whole folder; which one runs is one row.
CREATE TABLE cell.deployments (
  project_id bigint      NOT NULL,
  version    integer     NOT NULL,
  -- Of the files: the same code has the same.
  digest     text        NOT NULL,
  -- The files as JSON, compressed; what is needed to run them, and what is needed to explain where they fail.
  code       bytea       NOT NULL,
  maps       bytea       NOT NULL,
  -- What was found in them.
  functions  jsonb       NOT NULL,
  bytes      integer     NOT NULL,
  note       text,
  made_by    text        NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, version)
);
-- It was compressed already.
ALTER TABLE cell.deployments ALTER COLUMN code SET STORAGE EXTERNAL, ALTER COLUMN maps SET STORAGE EXTERNAL;

CREATE TABLE cell.active_deployments (
  project_id bigint      PRIMARY KEY,
  version    integer     NOT NULL,
  since      timestamptz NOT NULL DEFAULT now()
);

-- What ran, how it ended, and what it printed.
CREATE TABLE cell.function_runs (
  project_id bigint      NOT NULL,
  -- Begins with its time.
  id         uuid        NOT NULL,
  at         timestamptz NOT NULL,
  function   text        NOT NULL,
  version    integer     NOT NULL,
  kind       text        NOT NULL,
  outcome    text        NOT NULL,
  status     smallint,
  ms         real        NOT NULL,
  start      text,
  error      jsonb,
  logs       jsonb       NOT NULL,
  -- The call, the event or the schedule that it ran for.
  cause      text,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX function_runs_function ON cell.function_runs (project_id, function, id);
CREATE INDEX function_runs_at ON cell.function_runs (at);
