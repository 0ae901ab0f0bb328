import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection, StoredKey } from '../collections/index.ts';
import { storedKey } from '../query/index.ts';
import type { Chunk } from './in-chunks.ts';
import { ownTable } from './table-store.ts';

/** From the end of the transaction, which has locked the collection, whatever is written into its table has these keys. */
export async function storeKeys(
  db: ProjectDb,
  number: number,
  keys: readonly (StoredKey | null)[],
): Promise<void> {
  const paths = JSON.stringify(keys.map((key) => key && key.path));
  await db.query(sql`SELECT cell.store_keys(${db.scope}, ${number}, ${paths}::jsonb)`);
}

/** Notes which keys a table holds, and since when no index has had one of them. */
export async function saveKeys(
  db: ProjectDb,
  number: number,
  keys: readonly (StoredKey | null)[],
): Promise<void> {
  await db.query(sql`
    UPDATE cell.collections SET stored_keys = ${JSON.stringify(keys)}::jsonb
    WHERE project_id = ${db.scope} AND number = ${number}`);
}

function lacksOne(places: readonly number[]): Sql {
  return join(
    places.map((place) => sql`${storedKey(place, sql`own`)} IS NULL`),
    ' OR ',
  );
}

/**
 * Gives some documents the keys at these places, in the order of their ids. Those that others hold are left: whoever
 * changes them gives them their keys. The message tells the change feed that nothing changes. Undefined if the collection
 * is gone.
 */
export async function fillSome(
  db: ProjectDb,
  collection: Collection,
  { from, limit, places }: { from: string; limit: number; places: readonly number[] },
): Promise<Chunk | undefined> {
  const table = ownTable(collection);
  const [row] = await db.query<Chunk & { isThere: boolean }>(sql`
    WITH held AS MATERIALIZED (
      SELECT pg_logical_emit_message(true, 'plinth-move', project_id::text) AS marked FROM cell.collections
      WHERE project_id = ${db.scope} AND number = ${collection.number} FOR KEY SHARE
    ), filled AS (
      UPDATE ${table} SET keys = '{}' WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} AS own
        WHERE id >= ${from}::uuid AND (${lacksOne(places)}) AND EXISTS (SELECT FROM held WHERE marked IS NOT NULL)
        ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING id
    )
    SELECT EXISTS (SELECT FROM held) AS "isThere", max(id::text) AS last, count(*)::int AS count,
      extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS ms
    FROM filled`);
  return row?.isThere ? row : undefined;
}

/** The first document that lacks one of the keys. It may take long to find that there is none. */
export async function findUnfilled(
  db: ProjectDb,
  collection: Collection,
  places: readonly number[],
): Promise<string | null> {
  const [row] = await db.read<{ id: string }>(sql`
    SELECT id FROM ${ownTable(collection)} AS own
    WHERE own.project_id = ${db.scope} AND (${lacksOne(places)}) ORDER BY id LIMIT 1`);
  return row?.id ?? null;
}

/** Those of some places where no document holds anything. What was there may have been left behind. */
export async function findFree(
  db: ProjectDb,
  collection: Collection,
  places: readonly number[],
): Promise<number[]> {
  const rows = await db.read<{ place: number }>(sql`
    SELECT DISTINCT place FROM ${ownTable(collection)} AS own, unnest(${places}::int[]) AS place
    WHERE own.project_id = ${db.scope} AND own.keys[place] IS NOT NULL`);
  const held = new Set(rows.map(({ place }) => place));
  return places.filter((place) => !held.has(place));
}
