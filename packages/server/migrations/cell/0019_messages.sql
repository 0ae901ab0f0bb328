-- What became of mails and text messages. What they say is not here: only the job that sends one has that, sealed.
CREATE TABLE cell.messages (
  project_id  bigint      NOT NULL,
  -- It begins with its time, and is the end of the job's key.
  id          uuid        NOT NULL,
  kind        text        NOT NULL,
  template    text        NOT NULL,
  receiver    text        NOT NULL,
  status      text        NOT NULL DEFAULT 'waiting',
  attempts    integer     NOT NULL DEFAULT 0,
  -- In plain words, for the people of the project.
  last_error  text,
  tried_at    timestamptz,
  next_try_at timestamptz,
  -- After this moment it is not sent any more.
  expires_at  timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id)
);
CREATE INDEX messages_status ON cell.messages (project_id, status, id);
CREATE INDEX messages_created_at ON cell.messages (created_at);

-- For the list of a project's jobs.
CREATE INDEX purges_project_id ON cell.purges (project_id);
