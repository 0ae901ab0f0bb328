-- A cell: everything of its projects. Every table starts its key with project_id.

-- What numbers of a project were given out. Never lowered: ids carry the collection's number for ever.
CREATE TABLE cell.project_numbers (
  project_id      bigint  PRIMARY KEY,
  last_collection integer NOT NULL CHECK (last_collection < 16777216)
);

CREATE TABLE cell.collections (
  project_id  bigint      NOT NULL,
  number      integer     NOT NULL,
  id          uuid        NOT NULL,
  name        text        NOT NULL,
  settings    jsonb       NOT NULL DEFAULT '{}',
  -- How many rows of document_counts share the count: 1, and 16 once the collection is busy.
  count_slots smallint    NOT NULL DEFAULT 1,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, number),
  UNIQUE (project_id, name),
  UNIQUE (project_id, id)
);

-- How many documents a collection has, exactly, as the sum of its slots. Every create updates one slot, so the
-- slots are also what a create and the deletion of its collection meet at: no slot, no collection.
CREATE TABLE cell.document_counts (
  project_id bigint   NOT NULL,
  collection integer  NOT NULL,
  slot       smallint NOT NULL,
  documents  bigint   NOT NULL,
  PRIMARY KEY (project_id, collection, slot)
) WITH (fillfactor = 50);

-- No index looks into data, so an update that does not outgrow its page touches no index (HOT).
CREATE TABLE cell.documents (
  project_id bigint  NOT NULL,
  collection integer NOT NULL,
  id         uuid    NOT NULL,
  version    integer NOT NULL DEFAULT 1,
  -- Milliseconds since 1970. The time of creation is in the id.
  updated_at bigint  NOT NULL,
  data       jsonb   NOT NULL,
  PRIMARY KEY (project_id, collection, id)
) WITH (fillfactor = 90);

-- The change feed decides by the old image who may hear of a deletion.
ALTER TABLE cell.documents REPLICA IDENTITY FULL;
-- Statistics on data would mix all tenants.
ALTER TABLE cell.documents ALTER COLUMN data SET STATISTICS 0;

-- Answers of calls that carried an Idempotency-Key, kept for 24 hours.
CREATE TABLE cell.idempotency_keys (
  project_id bigint      NOT NULL,
  -- SHA-256 of principal, method, path and key.
  key_hash   bytea       NOT NULL,
  body_hash  bytea       NOT NULL,
  answer     text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX idempotency_keys_created_at ON cell.idempotency_keys (created_at);

-- Documents whose collection (or, with collection null, whose project) is gone; removed in small steps.
CREATE TABLE cell.purges (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id   bigint      NOT NULL,
  collection   integer,
  requested_at timestamptz NOT NULL DEFAULT now()
);

-- Case folding, the same as JavaScript's toLowerCase() with final sigma folded.
CREATE FUNCTION cell.fold(value text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN replace(lower(value COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C";

-- The text of a JSON string; null for every other type.
CREATE FUNCTION cell.string_of(value jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN value #>> '{}' END;

-- Is there an element equal to one of the candidates, or to the folded text ignoring case?
CREATE FUNCTION cell.has_element(value jsonb, candidates jsonb[], folded text) RETURNS boolean
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN EXISTS (
    SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END) AS element
    WHERE element = ANY (candidates) OR cell.fold(cell.string_of(element)) = folded);

-- What sorting compares: missing and null are one, arrays and objects are one rank, the rest keeps jsonb's order
-- (strings by code point, numbers, false, true).
CREATE FUNCTION cell.sort_value(value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE coalesce(jsonb_typeof(value), 'null')
    WHEN 'null' THEN 'null'::jsonb
    WHEN 'array' THEN '{}'::jsonb
    WHEN 'object' THEN '{}'::jsonb
    ELSE value END;
