import { Client } from 'pg';

/**
 * Makes `cell.every_document`, under which tests find, change and remove documents in whatever table they are, and
 * insert them where their collection lives. Every table of documents is its child, also one that is made later.
 */
export async function gatherTables(url: string): Promise<void> {
  await run(
    url,
    `CREATE TABLE cell.every_document (LIKE cell.documents INCLUDING DEFAULTS);
    ALTER TABLE cell.documents INHERIT cell.every_document;

    CREATE FUNCTION cell.gather_table() RETURNS event_trigger LANGUAGE plpgsql AS $$
    DECLARE
      made text;
    BEGIN
      FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands()
        WHERE command_tag = 'CREATE TABLE' AND schema_name = 'own'
      LOOP
        EXECUTE format('ALTER TABLE %s INHERIT cell.every_document', made);
      END LOOP;
    END $$;
    CREATE EVENT TRIGGER gather_table ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION cell.gather_table();

    CREATE FUNCTION cell.house_document() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      lives text := (SELECT home FROM cell.collections WHERE project_id = NEW.project_id AND number = NEW.collection);
    BEGIN
      IF lives = 'shared' THEN
        INSERT INTO cell.documents SELECT NEW.*;
      ELSE
        EXECUTE format('INSERT INTO own.%I SELECT $1.*', format('documents_%s_%s', NEW.project_id, NEW.collection))
          USING NEW;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER house BEFORE INSERT ON cell.every_document FOR EACH ROW EXECUTE FUNCTION cell.house_document();`,
  );
}

/**
 * Gives every collection that is made in a database a table of its own, or keeps each in the middle of its move, with
 * every other document in either table: what tests see must not depend on it.
 */
export async function spreadTables(url: string, home: 'own' | 'moving'): Promise<void> {
  await run(
    url,
    `ALTER TABLE cell.collections ALTER COLUMN home SET DEFAULT '${home}';

    CREATE FUNCTION cell.spread_collection() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM cell.create_own_table(NEW.project_id, NEW.number);
      IF NEW.home = 'moving' THEN
        EXECUTE format('CREATE TRIGGER spread BEFORE INSERT ON own.%I FOR EACH ROW EXECUTE FUNCTION cell.spread_document()',
          format('documents_%s_%s', NEW.project_id, NEW.number));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER spread AFTER INSERT ON cell.collections FOR EACH ROW EXECUTE FUNCTION cell.spread_collection();

    CREATE FUNCTION cell.spread_document() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF right(NEW.id::text, 1) IN ('0', '2', '4', '6', '8', 'a', 'c', 'e') THEN RETURN NEW; END IF;
      INSERT INTO cell.documents SELECT NEW.*;
      RETURN NULL;
    END $$;`,
  );
}

async function run(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
