import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Collection, ownTable } from '../collections/index.ts';

const columns = sql`project_id, collection, id, version, updated_at, holds_files, data`;

/** Gives up waiting for locks soon, for the rest of the transaction: others wait behind whoever waits. */
export async function waitBriefly(db: ProjectDb): Promise<void> {
  await db.query(sql`SELECT set_config('lock_timeout', '300ms', true) WHERE ${db.scope}::bigint IS NOT NULL`);
}

/**
 * Moves some documents that nobody holds, in the order of their ids; the last of them, how many, and how long PostgreSQL
 * took. All in one statement: what it locks is free again when PostgreSQL is done, however busy this node is. The
 * collection is held in place meanwhile; undefined if it is gone.
 *
 * The message tells the change feed that what this transaction writes is no change. It comes before the writes in the
 * log, and needs no right that a managed database would not give.
 */
export async function moveSome(
  db: ProjectDb,
  collection: Collection,
  { from, limit }: { from: string; limit: number },
): Promise<{ last: string | null; count: number; ms: number } | undefined> {
  const [row] = await db.query<{ isThere: boolean; last: string | null; count: number; ms: number }>(sql`
    WITH held AS MATERIALIZED (
      SELECT pg_logical_emit_message(true, 'plinth-move', project_id::text) AS marked FROM cell.collections
      WHERE project_id = ${db.scope} AND number = ${collection.number} FOR KEY SHARE
    ), moved AS (
      DELETE FROM cell.documents WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM cell.documents
        WHERE project_id = ${db.scope} AND collection = ${collection.number} AND id >= ${from}::uuid
          AND EXISTS (SELECT FROM held WHERE marked IS NOT NULL)
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING ${columns}
    ), arrived AS (
      INSERT INTO ${ownTable(collection)} (${columns}) SELECT ${columns} FROM moved RETURNING id
    )
    SELECT EXISTS (SELECT FROM held) AS "isThere", max(id::text) AS last, count(*)::int AS count,
      extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS ms
    FROM arrived`);
  return row!.isThere ? row : undefined;
}

/**
 * The first document that is still where it was. Whatever has moved before it is passed over on the way, until PostgreSQL
 * has tidied up: that has no time limit, and is done seldom.
 */
export async function findLeftBehind(db: ProjectDb, number: number): Promise<string | null> {
  return db.transaction(async (db) => {
    await db.query(
      sql`SELECT set_config('statement_timeout', '0', true) WHERE ${db.scope}::bigint IS NOT NULL`,
    );
    const [row] = await db.query<{ id: string }>(sql`
      SELECT id FROM cell.documents WHERE project_id = ${db.scope} AND collection = ${number} ORDER BY id LIMIT 1`);
    return row?.id ?? null;
  });
}

/** Everything is in the new table. Nobody needs to know before the next look-up: nothing is elsewhere. */
export async function finishMove(db: ProjectDb, number: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.collections SET home = 'own' WHERE project_id = ${db.scope} AND number = ${number}`);
}

/** How many collections of the cell have a table of their own. */
export async function countOwnTables(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM pg_class
    WHERE relnamespace = 'own'::regnamespace AND relkind = 'r' AND ${db.scope}::bigint IS NOT NULL`);
  return row!.count;
}
