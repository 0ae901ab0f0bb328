-- Accounts: the people who manage projects. They have nothing to do with the app users of any project.
CREATE TABLE control.accounts (
  id              uuid        PRIMARY KEY,
  email           text        NOT NULL,
  -- What addresses are compared by: case does not matter.
  email_key       text        NOT NULL UNIQUE,
  is_verified     boolean     NOT NULL DEFAULT false,
  name            text        NOT NULL DEFAULT '',
  -- Null: the account signs in by other means.
  password_hash   text,
  -- Projects it may own; null: as many as the deployment gives everybody.
  project_limit   integer     CHECK (project_limit >= 0),
  -- The secret of an authenticator app, encrypted; in force once a code was confirmed.
  totp_secret     bytea,
  totp_confirmed  boolean     NOT NULL DEFAULT false,
  -- The time step of the last code that was taken: none is taken twice.
  totp_step       bigint      NOT NULL DEFAULT 0,
  -- Codes that were tried today.
  tried_codes     smallint    NOT NULL DEFAULT 0,
  tried_codes_on  date        NOT NULL DEFAULT '-infinity',
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE control.account_sessions (
  id           uuid        PRIMARY KEY,
  account_id   uuid        NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  -- SHA-256 of what the cookie holds.
  token_hash   bytea       NOT NULL UNIQUE,
  signed_in_at timestamptz NOT NULL DEFAULT now(),
  seen_at      timestamptz NOT NULL DEFAULT now(),
  method       text        NOT NULL,
  device       text        NOT NULL,
  address      text        NOT NULL
);
CREATE INDEX account_sessions_of ON control.account_sessions (account_id);

-- Personal access tokens, for programs.
CREATE TABLE control.account_tokens (
  id          uuid        PRIMARY KEY,
  account_id  uuid        NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  name        text        NOT NULL,
  token_hash  bytea       NOT NULL UNIQUE,
  -- Its last characters, to tell it from others.
  hint        text        NOT NULL,
  may_write   boolean     NOT NULL,
  -- Null: every project of the account.
  project_ids bigint[],
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz
);
CREATE INDEX account_tokens_of ON control.account_tokens (account_id);

-- What mailed links carry: each works once.
CREATE TABLE control.account_links (
  token_hash    bytea       PRIMARY KEY,
  purpose       text        NOT NULL CHECK (purpose IN ('verify', 'reset', 'sign-up', 'sign-in', 'login')),
  -- Null: for somebody who has no account yet.
  account_id    uuid        REFERENCES control.accounts ON DELETE CASCADE,
  email_key     text        NOT NULL,
  -- Tells whether the password is still the one of that moment.
  password_mark bytea,
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL
);
CREATE INDEX account_links_expired ON control.account_links (expires_at);
CREATE INDEX account_links_to ON control.account_links (email_key, purpose);

CREATE TABLE control.account_recovery_codes (
  account_id uuid  NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  code_hash  bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);

-- Who works on a project: one owner, any number of teammates.
CREATE TABLE control.members (
  project_id bigint      NOT NULL REFERENCES control.projects ON DELETE CASCADE,
  account_id uuid        NOT NULL REFERENCES control.accounts,
  role       text        NOT NULL CHECK (role IN ('owner', 'teammate')),
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, account_id)
);
CREATE UNIQUE INDEX members_one_owner ON control.members (project_id) WHERE role = 'owner';
CREATE INDEX members_of_account ON control.members (account_id, project_id);

CREATE TABLE control.invitations (
  id         uuid        PRIMARY KEY,
  project_id bigint      NOT NULL REFERENCES control.projects ON DELETE CASCADE,
  email      text        NOT NULL,
  email_key  text        NOT NULL,
  token_hash bytea       NOT NULL UNIQUE,
  invited_by uuid        REFERENCES control.accounts ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- How often it was mailed.
  mails      smallint    NOT NULL DEFAULT 1,
  UNIQUE (project_id, email_key)
);
CREATE INDEX invitations_expired ON control.invitations (expires_at);
CREATE INDEX invitations_to ON control.invitations (email_key);

-- What was changed by whom: written in the transaction of the change.
CREATE TABLE control.audit_log (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT now(),
  -- Kept when the project or the account is gone.
  of_project bigint,
  account_id uuid,
  token_id   uuid,
  action     text        NOT NULL,
  target     text,
  details    jsonb       NOT NULL DEFAULT '{}',
  -- Of a call through the gateway; null while it is not known.
  status     smallint,
  address    text        NOT NULL,
  request_id text        NOT NULL
);
CREATE INDEX audit_log_of_project ON control.audit_log (of_project, id);
CREATE INDEX audit_log_of_account ON control.audit_log (account_id, id) WHERE of_project IS NULL;
CREATE INDEX audit_log_old ON control.audit_log (at);

ALTER TABLE control.projects
  -- A temporary project is deleted then, unless somebody claims it.
  ADD COLUMN expires_at timestamptz,
  -- SHA-256 of what its claim link carries.
  ADD COLUMN claim_hash bytea;
CREATE INDEX projects_expiring ON control.projects (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX projects_deleted ON control.projects (deleted_at) WHERE deleted_at IS NOT NULL;
