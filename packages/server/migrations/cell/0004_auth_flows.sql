-- Nodes that do jobs say now and then that they are alive, so that another can take over what one that died was doing.
CREATE TABLE cell.job_workers (
  id      text        PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

-- Users who sign in through a provider or by a passkey may have no password. The row is there all the same: whatever ends
-- the sessions of a user locks it.
ALTER TABLE cell.app_user_secrets
  ALTER COLUMN password_hash DROP NOT NULL,
  -- The user's own wish to sign in without a mailed code, where the project allows it.
  ADD COLUMN skips_codes boolean NOT NULL DEFAULT false,
  -- The secret of an authenticator app, encrypted; in force once it was confirmed.
  ADD COLUMN totp_secret bytea,
  ADD COLUMN totp_confirmed boolean NOT NULL DEFAULT false,
  -- The step of the last code that was taken: none is taken twice.
  ADD COLUMN totp_step bigint NOT NULL DEFAULT 0;

-- A phone signs one user in. What was stored before is kept if it is a number, and nobody else's.
UPDATE cell.app_users SET phone = NULL WHERE phone !~ '^\+[1-9][0-9]{6,14}$';
UPDATE cell.app_users AS own SET phone = NULL FROM cell.app_users AS other
  WHERE other.project_id = own.project_id AND other.phone = own.phone AND other.id < own.id;
CREATE UNIQUE INDEX app_users_phone ON cell.app_users (project_id, phone) WHERE phone IS NOT NULL;

ALTER TABLE cell.sessions
  ADD COLUMN method     text NOT NULL DEFAULT 'password',
  ADD COLUMN user_agent text NOT NULL DEFAULT '',
  ADD COLUMN address    text NOT NULL DEFAULT '';

-- Where a user has signed in from, in marks: a sign-in from elsewhere is told by mail.
CREATE TABLE cell.known_devices (
  project_id bigint      NOT NULL,
  user_id    uuid        NOT NULL,
  mark       bytea       NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, user_id, mark),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);
CREATE INDEX known_devices_seen_at ON cell.known_devices (seen_at);

-- Links that were sent by mail, and codes that a hosted page hands to an app: used once, kept as hashes.
CREATE TABLE cell.one_time_tokens (
  project_id bigint      NOT NULL,
  token_hash bytea       NOT NULL,
  purpose    text        NOT NULL,
  user_id    uuid        NOT NULL,
  -- What the token is bound to: the address it was sent to, or where an app may trade it.
  bound_to   text        NOT NULL,
  -- The password there was, in a mark: a token does not outlive it.
  password_mark bytea    NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, token_hash),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_user ON cell.one_time_tokens (project_id, user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON cell.one_time_tokens (expires_at);

-- Codes that a person types: five tries each. Rows stay for a day, to count how many codes an account was sent.
CREATE TABLE cell.one_time_codes (
  project_id    bigint      NOT NULL,
  id            uuid        NOT NULL,
  purpose       text        NOT NULL,
  -- Whose tries it bounds: a user id, or a phone number.
  account       text        NOT NULL,
  user_id       uuid,
  phone         text,
  -- What the caller shows to use the code, in a hash: the challenge of a sign-in.
  challenge_hash bytea,
  -- Absent where an authenticator app makes the codes.
  code_mark     bytea,
  password_mark bytea,
  -- How the sign-in began that waits for this.
  method        text,
  tries_left    smallint    NOT NULL,
  used_at       timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);
CREATE INDEX one_time_codes_account ON cell.one_time_codes (project_id, purpose, account, created_at);
CREATE INDEX one_time_codes_user ON cell.one_time_codes (project_id, user_id);
CREATE INDEX one_time_codes_challenge ON cell.one_time_codes (project_id, challenge_hash) WHERE challenge_hash IS NOT NULL;
CREATE INDEX one_time_codes_phone ON cell.one_time_codes (project_id, phone, created_at) WHERE phone IS NOT NULL;
CREATE INDEX one_time_codes_created_at ON cell.one_time_codes (created_at);

-- What lets a user in when the authenticator app is lost, one use each.
CREATE TABLE cell.recovery_codes (
  project_id bigint NOT NULL,
  user_id    uuid   NOT NULL,
  code_hash  bytea  NOT NULL,
  PRIMARY KEY (project_id, user_id, code_hash),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);

-- How many mails somebody was sent within an hour: strangers can cause mails to any address.
CREATE TABLE cell.mail_counts (
  project_id    bigint      NOT NULL,
  receiver_hash bytea       NOT NULL,
  hour          timestamptz NOT NULL,
  mails         integer     NOT NULL,
  PRIMARY KEY (project_id, receiver_hash, hour)
);
CREATE INDEX mail_counts_hour ON cell.mail_counts (hour);

-- Mail texts that a project has replaced.
CREATE TABLE cell.mail_templates (
  project_id bigint NOT NULL,
  name       text   NOT NULL,
  language   text   NOT NULL,
  subject    text   NOT NULL,
  body       text   NOT NULL,
  html       text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, name, language)
);
