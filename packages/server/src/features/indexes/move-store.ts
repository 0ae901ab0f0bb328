import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Collection, ownTable } from '../collections/index.ts';

const columns = sql`project_id, collection, id, version, updated_at, holds_files, data`;

/** Gives up waiting for locks soon, for the rest of the transaction: others wait behind whoever waits. */
export async function waitBriefly(db: ProjectDb): Promise<void> {
  await db.query(sql`SELECT set_config('lock_timeout', '300ms', true) WHERE ${db.scope}::bigint IS NOT NULL`);
}

/** Holds a collection in place; false if it is gone. */
export async function holdCollection(db: ProjectDb, number: number): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number} FOR KEY SHARE`);
  return rows.length === 1;
}

/**
 * Tells the change feed that what this transaction writes is no change: documents only move. Comes before the writes in
 * the log, and needs no right that a managed database would not give.
 */
export async function markAsMove(db: ProjectDb): Promise<void> {
  await db.query(sql`SELECT pg_logical_emit_message(true, 'plinth-move', ${db.scope}::bigint::text)`);
}

/** Moves some documents that nobody holds, in the order of their ids; the last of them, and how many. */
export async function moveSome(
  db: ProjectDb,
  collection: Collection,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string | null; count: number }> {
  const [row] = await db.query<{ last: string | null; count: number }>(sql`
    WITH moved AS (
      DELETE FROM cell.documents WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM cell.documents
        WHERE project_id = ${db.scope} AND collection = ${collection.number} AND id > ${after}::uuid
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING ${columns}
    ), arrived AS (
      INSERT INTO ${ownTable(collection)} (${columns}) SELECT ${columns} FROM moved RETURNING id
    )
    SELECT max(id::text) AS last, count(*)::int AS count FROM arrived`);
  return row!;
}

/** Is a document still where it was? */
export async function hasLeftBehind(db: ProjectDb, number: number): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT FROM cell.documents WHERE project_id = ${db.scope} AND collection = ${number} LIMIT 1`);
  return rows.length === 1;
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
