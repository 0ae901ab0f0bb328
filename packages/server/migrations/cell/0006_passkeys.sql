-- Keys on devices of app users that sign them in without a password. Go with the user.
CREATE TABLE cell.passkeys (
  project_id   bigint      NOT NULL,
  -- The credential id that the device chose, base64url.
  id           text        NOT NULL,
  user_id      uuid        NOT NULL,
  public_key   bytea       NOT NULL,
  -- How often the device says it was used; 0 for ever where it does not count.
  sign_count   bigint      NOT NULL,
  transports   text[]      NOT NULL,
  name         text        NOT NULL,
  -- The make of the device or password manager, as far as it tells.
  aaguid       uuid        NOT NULL,
  backed_up    boolean     NOT NULL,
  -- The domain it is for: a browser offers it nowhere else.
  rp_id        text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user ON cell.passkeys (project_id, user_id);

-- What devices were asked to sign and have not yet: used once, kept as hashes.
CREATE TABLE cell.passkey_challenges (
  project_id     bigint      NOT NULL,
  challenge_hash bytea       NOT NULL,
  purpose        text        NOT NULL,
  -- Who adds a passkey; absent for a login, which is anybody's.
  user_id        uuid,
  rp_id          text        NOT NULL,
  origin         text        NOT NULL,
  expires_at     timestamptz NOT NULL,
  PRIMARY KEY (project_id, challenge_hash),
  FOREIGN KEY (project_id, user_id) REFERENCES cell.app_users (project_id, id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_user ON cell.passkey_challenges (project_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX passkey_challenges_expires_at ON cell.passkey_challenges (expires_at);
