import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import type { Chunk } from './in-chunks.ts';
import { ownTable } from './table-store.ts';

const columns = sql`project_id, collection, id, version, updated_at, holds_files, bytes, data`;

/**
 * Begins a new epoch of a collection that the transaction has locked. Creates learn of it when the count shards are
 * closed to earlier epochs.
 */
export async function beginPlacementEpoch(
  db: ProjectDb,
  number: number,
  home?: Collection['home'],
): Promise<void> {
  await db.query(sql`
    UPDATE cell.collections SET epoch = epoch + 1, home = coalesce(${home ?? null}, home)
    WHERE project_id = ${db.scope} AND number = ${number}`);
}

/** All documents are in the new table. Other nodes may learn of it late: reading both tables is still right. */
export async function finishMove(db: ProjectDb, number: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.collections SET home = 'own' WHERE project_id = ${db.scope} AND number = ${number}`);
}

/** For the rest of the transaction, gives up waiting for a lock after a while: others queue behind whoever waits. */
export async function waitAtMost(db: ProjectDb, ms: number): Promise<void> {
  await db.query(
    sql`SELECT set_config('lock_timeout', ${`${ms}ms`}, true) WHERE ${db.scope}::bigint IS NOT NULL`,
  );
}

/**
 * Moves some documents that nobody holds, in the order of their ids. All in one statement: what it locks is free again
 * when PostgreSQL is done, however busy this node is. The collection is held in place meanwhile; undefined if it is gone.
 *
 * The message tells the change feed that what this transaction writes is no change. It comes before the writes in the
 * log, and needs no right that a managed database would not give.
 */
export async function moveSome(
  db: ProjectDb,
  collection: Collection,
  { from, limit }: { from: string; limit: number },
): Promise<Chunk | undefined> {
  const [row] = await db.query<Chunk & { isThere: boolean }>(sql`
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
  return row?.isThere ? row : undefined;
}

/**
 * The first document that has not moved yet. On the way PostgreSQL passes over all that have, until it has tidied up:
 * that may take long, so it needs a connection without a time limit, and is done seldom.
 */
export async function findLeftBehind(db: ProjectDb, number: number): Promise<string | null> {
  const [row] = await db.read<{ id: string }>(sql`
    SELECT id FROM cell.documents WHERE project_id = ${db.scope} AND collection = ${number} ORDER BY id LIMIT 1`);
  return row?.id ?? null;
}
