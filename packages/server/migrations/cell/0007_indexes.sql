-- Indexes of collections, and tables of their own for collections that need one.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Tables of collections that have one of their own: documents_<project>_<collection>.
CREATE SCHEMA own;

ALTER TABLE cell.collections
  -- Where the documents are: in cell.documents, on their way, or in a table of their own.
  ADD COLUMN home text NOT NULL DEFAULT 'shared' CHECK (home IN ('shared', 'moving', 'own')),
  -- Rises with every change that writers must know of before they write again.
  ADD COLUMN epoch integer NOT NULL DEFAULT 0;

-- The earliest epoch whose creates a slot lets in: beside the count, so that a create learns of it while it waits.
ALTER TABLE cell.document_counts ADD COLUMN epoch integer NOT NULL DEFAULT 0;

CREATE TABLE cell.indexes (
  project_id   bigint      NOT NULL,
  collection   integer     NOT NULL,
  id           uuid        NOT NULL,
  kind         text        NOT NULL CHECK (kind IN ('sort', 'search', 'unique', 'statistics')),
  -- Paths as the query language writes them, "-" in front for descending.
  fields       text[]      NOT NULL,
  -- recorded: takes effect once the collection has grown.
  state        text        NOT NULL CHECK (state IN ('recorded', 'building', 'ready', 'failed', 'dropping')),
  -- Why it failed.
  failure      text,
  is_automatic boolean     NOT NULL DEFAULT false,
  -- Why the service made it.
  reason       text,
  -- Documents done and to do, while it is being built.
  done         bigint,
  total        bigint,
  created_at   timestamptz NOT NULL DEFAULT now(),
  ready_at     timestamptz,
  -- How often PostgreSQL had used it when it was last looked at, and when that number last changed.
  scans        bigint      NOT NULL DEFAULT 0,
  used_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, collection, id)
);
-- One that is about to go may be asked for again.
CREATE UNIQUE INDEX indexes_fields ON cell.indexes (project_id, collection, kind, fields) WHERE state <> 'dropping';

-- One row for each document and unique index that has a value for it, wherever the document is.
CREATE TABLE cell.unique_values (
  project_id bigint  NOT NULL,
  collection integer NOT NULL,
  index_id   uuid    NOT NULL,
  -- SHA-256 of the values.
  hash       bytea   NOT NULL,
  document   uuid    NOT NULL,
  PRIMARY KEY (project_id, index_id, hash)
);
CREATE INDEX unique_values_document ON cell.unique_values (project_id, collection, document);

-- What shapes of filter and sort run on large collections, and how long they take.
CREATE TABLE cell.query_shapes (
  project_id bigint      NOT NULL,
  collection integer     NOT NULL,
  -- SHA-256 of the shape.
  hash       bytea       NOT NULL,
  shape      jsonb       NOT NULL,
  calls      bigint      NOT NULL,
  -- Sampled durations: how many took less than 1, 2, 4, 8 … ms.
  durations  bigint[]    NOT NULL,
  -- How many documents the collection had.
  documents  bigint      NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, collection, hash)
);

-- A JSON string of the first 128 characters of another. Apart from sort_key because to_jsonb is not declared immutable,
-- although of a text it is; PostgreSQL writes a function into a query only if all of it is.
CREATE FUNCTION cell.cut_string(value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN to_jsonb(left(value #>> '{}', 128));

-- What sort indexes hold and sorting compares first: like sort_value, but of a string the first 128 characters, so
-- that an index entry of four values fits into a page of PostgreSQL whatever is stored. It is asked of every row that a
-- list looks at: text that has no more bytes than that between its quotes is not taken out to be measured.
CREATE FUNCTION cell.sort_key(value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE jsonb_typeof(value)
    WHEN 'string' THEN CASE WHEN octet_length(value::text) > 130 THEN cell.cut_string(value) ELSE value END
    WHEN 'number' THEN value
    WHEN 'boolean' THEN value
    WHEN 'array' THEN '{}'::jsonb
    WHEN 'object' THEN '{}'::jsonb
    ELSE 'null'::jsonb END;

-- As it was, but no longer STRICT: PostgreSQL now writes it into queries, where it takes a tenth of the time.
CREATE OR REPLACE FUNCTION cell.string_of(value jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN value #>> '{}' END;

-- The texts of all elements of an array. Apart from search_text because of its subquery, for the same reason.
CREATE FUNCTION cell.joined_text(value jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT string_agg(element #>> '{}', E'\n') FROM jsonb_array_elements(value) AS element);

-- What search indexes hold: the folded text of a string, or of all elements of an array.
CREATE FUNCTION cell.search_text(value jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN cell.fold(CASE jsonb_typeof(value)
    WHEN 'string' THEN value #>> '{}'
    WHEN 'array' THEN cell.joined_text(value) END);

-- True, or an error that sends the caller back to look where the collections are now. Stable, so that it is asked
-- once, with the snapshot of the statement that asks.
CREATE FUNCTION cell.require_epochs(project bigint, numbers integer[], epochs integer[]) RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  changed text;
BEGIN
  SELECT string_agg(known.number::text, ',') INTO changed
  FROM unnest(numbers, epochs) AS known (number, epoch)
  JOIN cell.collections AS now ON now.project_id = project AND now.number = known.number
  WHERE now.epoch <> known.epoch;
  IF changed IS NOT NULL THEN
    RAISE EXCEPTION 'collections have changed' USING ERRCODE = 'PL001', DETAIL = changed;
  END IF;
  RETURN true;
END $$;

-- Makes the table of a collection. A migration that changes cell.documents changes every table of this schema, too.
CREATE FUNCTION cell.create_own_table(project bigint, collection integer) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  name text := format('documents_%s_%s', project, collection);
BEGIN
  IF to_regclass('own.' || name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE own.%I (LIKE cell.documents INCLUDING DEFAULTS, PRIMARY KEY (id)) WITH (fillfactor = 90)', name);
  EXECUTE format('ALTER TABLE own.%I REPLICA IDENTITY FULL', name);
  EXECUTE format('ALTER TABLE own.%I ALTER COLUMN data SET STATISTICS 0', name);
END $$;

-- Drops it. Whoever wants to read it waits behind this, so this does not wait for long.
CREATE FUNCTION cell.drop_own_table(project bigint, collection integer) RETURNS void
  LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS own.%I', format('documents_%s_%s', project, collection));
END $$;
