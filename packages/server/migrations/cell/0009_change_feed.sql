-- The change feed: what live subscriptions are told of, read from the write-ahead log through a replication slot.

CREATE PUBLICATION plinth_changes FOR TABLE cell.documents, cell.app_users, cell.collections;
-- That a sign-in has ended. When one begins nobody needs to hear of it.
CREATE PUBLICATION plinth_ends FOR TABLE cell.sessions (project_id, id) WITH (publish = 'delete');

-- A change of a collection names it by its old row too, if it goes.
ALTER TABLE cell.collections REPLICA IDENTITY FULL;

DO $$
DECLARE
  own_table regclass;
BEGIN
  FOR own_table IN SELECT oid FROM pg_class WHERE relnamespace = 'own'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('ALTER PUBLICATION plinth_changes ADD TABLE %s', own_table);
  END LOOP;
END $$;

-- As it was, and its changes are published. (All tables of the schema at once could only a superuser publish.)
CREATE OR REPLACE FUNCTION cell.create_own_table(project bigint, collection integer) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  name text := format('documents_%s_%s', project, collection);
BEGIN
  IF to_regclass('own.' || name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE own.%I (LIKE cell.documents INCLUDING DEFAULTS, PRIMARY KEY (id)) WITH (fillfactor = 90)', name);
  EXECUTE format('ALTER TABLE own.%I REPLICA IDENTITY FULL', name);
  EXECUTE format('ALTER TABLE own.%I ALTER COLUMN data SET STATISTICS 0', name);
  EXECUTE format('ALTER PUBLICATION plinth_changes ADD TABLE own.%I', name);
END $$;

-- Which line of changes the slot feeds. A line that cannot go on without a gap ends, and another begins.
CREATE TABLE cell.change_feed (
  slot  text PRIMARY KEY,
  epoch uuid NOT NULL
);

-- Admission to one connection, for browsers, which cannot send headers with it.
CREATE TABLE cell.realtime_tickets (
  project_id       bigint      NOT NULL,
  -- SHA-256 of the ticket.
  hash             bytea       NOT NULL,
  -- Whose it is; without a user it stands for the API key of which this is the hash.
  user_id          uuid,
  session_id       uuid,
  api_key_hash     bytea,
  -- When the token ends that it was made with.
  token_expires_at timestamptz,
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (project_id, hash)
);
CREATE INDEX realtime_tickets_expires_at ON cell.realtime_tickets (expires_at);
