-- What was said of a failure, without what may be a secret.
ALTER TABLE cell.requests ADD COLUMN message text;

-- What a project held, for each day (UTC) on which something changed; a day without a row is as the one before.
CREATE TABLE cell.usage_days (
  project_id     bigint      NOT NULL,
  day            date        NOT NULL,
  documents      bigint      NOT NULL,
  document_bytes bigint      NOT NULL,
  storage_bytes  bigint      NOT NULL,
  users          bigint      NOT NULL,
  noted_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, day)
);
