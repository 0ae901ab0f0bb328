-- App users: what they say of themselves and what the project's server says of them.
CREATE TABLE cell.app_users (
  project_id     bigint  NOT NULL,
  id             uuid    NOT NULL,
  email          text    NOT NULL,
  -- E-mails compare without regard to case.
  email_key      text    NOT NULL,
  role           text    NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  phone          text,
  -- Written by the user; claims only with the API key.
  data           jsonb   NOT NULL DEFAULT '{}',
  claims         jsonb   NOT NULL DEFAULT '{}',
  is_suspended   boolean NOT NULL DEFAULT false,
  updated_at     bigint  NOT NULL,
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, email_key)
) WITH (fillfactor = 90);
ALTER TABLE cell.app_users REPLICA IDENTITY FULL;
ALTER TABLE cell.app_users ALTER COLUMN data SET STATISTICS 0, ALTER COLUMN claims SET STATISTICS 0;

-- How many app users a project has, exactly, without counting them.
CREATE TABLE cell.app_user_counts (
  project_id bigint   NOT NULL,
  slot       smallint NOT NULL,
  users      bigint   NOT NULL,
  PRIMARY KEY (project_id, slot)
) WITH (fillfactor = 50);

-- Apart from the users, and never published to a change feed.
CREATE TABLE cell.app_user_secrets (
  project_id    bigint NOT NULL,
  user_id       uuid   NOT NULL,
  password_hash text   NOT NULL,
  PRIMARY KEY (project_id, user_id)
);

-- A sign-in. Its tokens are good while the row is here and the user is not suspended.
CREATE TABLE cell.sessions (
  project_id bigint      NOT NULL,
  id         uuid        NOT NULL,
  user_id    uuid        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX sessions_user ON cell.sessions (project_id, user_id);
CREATE INDEX sessions_expires_at ON cell.sessions (expires_at);

-- The link catalogue: which collections (0: app users) a field of a collection was seen to link to.
CREATE TABLE cell.links (
  project_id bigint  NOT NULL,
  collection integer NOT NULL,
  field      text    NOT NULL,
  target     integer NOT NULL,
  -- Seen by someone who may read the target. App users' queries go through these links only: a guessed id that somebody
  -- wrote must not tell whether it is there.
  is_open    boolean NOT NULL,
  PRIMARY KEY (project_id, collection, field, target)
);

-- The ids in a value: one, or an array of them. Anything else in it is no id.
CREATE FUNCTION cell.link_ids(value jsonb) RETURNS uuid[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY (
    SELECT element::uuid
    FROM jsonb_array_elements_text(CASE jsonb_typeof(value)
      WHEN 'array' THEN value WHEN 'string' THEN jsonb_build_array(value) ELSE '[]' END) AS element
    WHERE element ~ '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$');
