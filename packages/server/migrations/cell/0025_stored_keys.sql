-- The table of a collection holds the sort keys of its indexed fields in a column, which a trigger fills: PostgreSQL then
-- leaves the indexes alone while other fields change.

-- Which key is where in the column. A place that is no longer used is null.
ALTER TABLE cell.collections ADD COLUMN stored_keys jsonb NOT NULL DEFAULT '[]';

-- Is it on stored keys? Indexes of earlier versions are on the documents themselves.
ALTER TABLE cell.indexes ADD COLUMN is_stored boolean NOT NULL DEFAULT false;

-- From the end of the transaction on, whatever is written into the table has the keys of these paths, in this order. Waits
-- for writes that have other keys. A large document is read only once, as a copy of its fields. Keys that have not changed
-- stay as they are: written again, compressed ones would look changed.
CREATE FUNCTION cell.store_keys(project bigint, collection integer, paths jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  documents text := format('own.documents_%s_%s', project, collection);
  filler    text := format('own.keys_%s_%s', project, collection);
  keys      text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = documents::regclass AND attname = 'keys') THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN keys jsonb[]', documents);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN keys SET STATISTICS 0', documents);
  END IF;
  EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', documents);
  SELECT string_agg(CASE WHEN jsonb_typeof(path) = 'array' THEN (
      SELECT format('cell.sort_key(fields%s)', string_agg(format(' -> %L::text', step), '' ORDER BY depth))
      FROM jsonb_array_elements_text(path) WITH ORDINALITY AS steps (step, depth)) ELSE 'NULL' END, ', ' ORDER BY place)
  INTO keys FROM jsonb_array_elements(paths) WITH ORDINALITY AS stored (path, place);
  EXECUTE format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS %L', filler,
    format($filler$
      DECLARE
        fields jsonb   := NEW.data || '{}';
        fresh  jsonb[] := ARRAY[%s]::jsonb[];
      BEGIN
        IF NEW.keys IS DISTINCT FROM fresh THEN NEW.keys := fresh; END IF;
        RETURN NEW;
      END $filler$, keys));
  EXECUTE format('CREATE OR REPLACE TRIGGER keys BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %s()',
    documents, filler);
END $$;

-- As it was, and drops what fills its keys.
CREATE OR REPLACE FUNCTION cell.drop_own_table(project bigint, collection integer) RETURNS void
  LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS own.%I', format('documents_%s_%s', project, collection));
  EXECUTE format('DROP FUNCTION IF EXISTS own.%I()', format('keys_%s_%s', project, collection));
END $$;
