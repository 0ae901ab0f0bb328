-- Who an app user is at an identity provider. Goes with the user.
CREATE TABLE cell.identities (
  project_id bigint      NOT NULL,
  provider   text        NOT NULL,
  -- How the provider calls the person, for ever; e-mail addresses change hands.
  subject    text        NOT NULL,
  user_id    uuid        NOT NULL,
  email      text        NOT NULL,
  -- Whether the provider had seen that the address was the person's. Without that the identity signs in only while nobody
  -- has set a password, which takes the mailbox: the account may have been made with somebody else's address.
  is_vouched boolean     NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, provider, subject),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users ON DELETE CASCADE
);
CREATE INDEX identities_user ON cell.identities (project_id, user_id);

-- Logins at a provider that were begun and are not yet back.
CREATE TABLE cell.oauth_states (
  project_id   bigint      NOT NULL,
  state_hash   bytea       NOT NULL,
  provider     text        NOT NULL,
  redirect_uri text        NOT NULL,
  uses_pkce    boolean     NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (project_id, state_hash)
);
CREATE INDEX oauth_states_expires_at ON cell.oauth_states (expires_at);

-- Codes of providers that were used: none is used twice, whatever the provider says.
CREATE TABLE cell.used_oauth_codes (
  project_id bigint      NOT NULL,
  code_hash  bytea       NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, code_hash)
);
CREATE INDEX used_oauth_codes_expires_at ON cell.used_oauth_codes (expires_at);
