-- More ways for accounts to sign in: keys on their devices, and an OpenID Connect issuer that the deployment trusts.
CREATE TABLE control.account_passkeys (
  id            uuid        PRIMARY KEY,
  account_id    uuid        NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  -- What the device calls the key, base64url.
  credential_id text        NOT NULL UNIQUE,
  public_key    bytea       NOT NULL,
  -- How often the device says it was used; 0 for ever where it does not count.
  sign_count    bigint      NOT NULL,
  transports    text[]      NOT NULL,
  name          text        NOT NULL,
  -- The make of the device or password manager, as far as it tells.
  aaguid        uuid        NOT NULL,
  backed_up     boolean     NOT NULL,
  -- The domain it is for: a browser offers it nowhere else.
  rp_id         text        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX account_passkeys_of ON control.account_passkeys (account_id);

-- Who an account is at an issuer.
CREATE TABLE control.account_identities (
  issuer     text        NOT NULL,
  -- How the issuer calls the person, for ever; e-mail addresses change hands.
  subject    text        NOT NULL,
  account_id uuid        NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  -- The address that connected the two.
  email      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  -- Whoever gets somebody's address later does not get their account.
  UNIQUE (account_id, issuer)
);

-- Challenges of passkeys and states of sign-ins that were used: none is used twice. Those that never are leave no row.
CREATE TABLE control.account_used_challenges (
  challenge_hash bytea       PRIMARY KEY,
  used_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX account_used_challenges_at ON control.account_used_challenges (used_at);
