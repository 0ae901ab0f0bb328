-- The control schema: which projects exist, where they live, and who may speak for them.

CREATE TABLE control.cells (
  number        smallint PRIMARY KEY,
  project_count bigint   NOT NULL DEFAULT 0,
  -- An operator closes a full cell to new projects.
  open          boolean  NOT NULL DEFAULT true
);

CREATE TABLE control.projects (
  id                    bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ref                   text        NOT NULL UNIQUE CHECK (ref ~ '^[a-z0-9]{12}$'),
  name                  text        NOT NULL,
  cell                  smallint    NOT NULL REFERENCES control.cells,
  tier                  text        NOT NULL CHECK (tier IN ('free', 'standard', 'pro', 'enterprise')),
  -- Calls a minute agreed with this project; null: what the tier gives.
  rate_limit            integer     CHECK (rate_limit > 0),
  allowed_origins       text[]      NOT NULL DEFAULT '{}',
  settings              jsonb       NOT NULL DEFAULT '{}',
  -- SHA-256 of the API key. The key itself is shown once and never stored.
  api_key_hash          bytea       NOT NULL UNIQUE,
  api_key_created_at    timestamptz NOT NULL DEFAULT now(),
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  -- Set when deletion begins: the project is gone for every caller, its rows are removed after.
  deleted_at            timestamptz
);
