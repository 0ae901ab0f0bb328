-- What a project needs of other services: mail server, text message gateway, identity providers. Encrypted.
CREATE TABLE control.project_secrets (
  project_id bigint NOT NULL REFERENCES control.projects ON DELETE CASCADE,
  name       text   NOT NULL,
  sealed     bytea  NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, name)
);
