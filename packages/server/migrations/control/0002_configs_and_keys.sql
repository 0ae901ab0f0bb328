-- Built-in configuration keys that a project has set; the others have their defaults.
ALTER TABLE control.projects ADD COLUMN configs jsonb NOT NULL DEFAULT '{}';

-- Keys that sign the tokens of app users. The newest signs; all of them verify.
CREATE TABLE control.signing_keys (
  kid         text        PRIMARY KEY,
  public_jwk  jsonb       NOT NULL,
  -- Encrypted with SECRET_KEY.
  private_jwk bytea       NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
