-- Further API keys of projects: each may do what its scopes say. A key is revoked by deleting its row.
CREATE TABLE control.api_keys (
  id                uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id        bigint      NOT NULL REFERENCES control.projects ON DELETE CASCADE,
  name              text        NOT NULL,
  -- SHA-256 of the key. The key itself is shown once and never stored.
  key_hash          bytea       NOT NULL UNIQUE,
  -- Its last characters, by which people tell keys apart.
  hint              text        NOT NULL,
  scopes            text[]      NOT NULL,
  expires_at        timestamptz,
  -- Where it may be used from; empty: everywhere.
  allowed_addresses cidr[]      NOT NULL DEFAULT '{}',
  created_at        timestamptz NOT NULL DEFAULT now(),
  -- Written now and then, not with each call.
  used_at           timestamptz,
  -- When a browser was last seen to send it.
  in_browser_at     timestamptz
);

CREATE INDEX api_keys_of_project ON control.api_keys (project_id);

-- The same of the API key that may do everything.
ALTER TABLE control.projects ADD COLUMN key_in_browser_at timestamptz;
