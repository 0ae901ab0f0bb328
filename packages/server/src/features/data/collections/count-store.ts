import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection } from './collection.ts';

/*
 * How many documents a collection has is the sum of its count shards. A shard also says which placement epochs may create
 * documents: see `data/placement`.
 */

/** Adds the shards that the collection does not have yet, up to so many. */
export async function insertCountShards(db: ProjectDb, number: number, shards: number): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.document_counts (project_id, collection, slot, documents, epoch)
    SELECT project_id, number, slot, 0, epoch FROM cell.collections, generate_series(0, ${shards - 1}) AS slot
    WHERE project_id = ${db.scope} AND number = ${number}
    ON CONFLICT DO NOTHING`);
}

export async function removeCountShards(db: ProjectDb, number: number): Promise<void> {
  await db.query(
    sql`DELETE FROM cell.document_counts WHERE project_id = ${db.scope} AND collection = ${number}`,
  );
}

/** How many documents there are, without counting them. */
export async function countDocuments(db: ProjectDb, number: number): Promise<number> {
  const [row] = await db.read<{ count: string }>(
    sql`SELECT coalesce(sum(documents), 0) AS count FROM cell.document_counts
      WHERE project_id = ${db.scope} AND collection = ${number}`,
    'collections.count-documents',
  );
  return Number(row?.count ?? 0);
}

/** How many documents a project has, and how many bytes they count. */
export async function sumDocuments(db: ProjectDb): Promise<{ documents: number; bytes: number }> {
  const [row] = await db.query<{ documents: string; bytes: string }>(
    sql`SELECT coalesce(sum(documents), 0) AS documents, coalesce(sum(bytes), 0) AS bytes FROM cell.document_counts
      WHERE project_id = ${db.scope}`,
  );
  return { documents: Number(row?.documents ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** How many documents several collections have, as part of a statement: rows of `collection` and `documents`. */
export function documentCounts(db: ProjectDb, numbers: readonly number[]): Sql {
  return sql`SELECT collection, sum(documents)::bigint AS documents FROM cell.document_counts
      WHERE project_id = ${db.scope} AND collection = ANY (${numbers}::int[]) GROUP BY collection`;
}

/** Adds to the count, as part of a statement; each connection has its shard. A condition may leave the shard alone. */
export function addToCount(
  db: ProjectDb,
  { number, countShards }: Collection,
  { documents, bytes, condition = sql`true` }: { documents: Sql; bytes: Sql; condition?: Sql },
): Sql {
  return sql`UPDATE cell.document_counts SET documents = documents + ${documents}, bytes = bytes + ${bytes}
      WHERE project_id = ${db.scope} AND collection = ${number} AND slot = pg_backend_pid() % ${countShards}::int
        AND ${condition}`;
}

/** The shards that still let in creates of an earlier epoch. */
export async function listOldShards(db: ProjectDb, number: number): Promise<number[]> {
  const rows = await db.query<{ slot: number }>(sql`
    SELECT slot FROM cell.document_counts JOIN cell.collections USING (project_id)
    WHERE project_id = ${db.scope} AND number = ${number} AND collection = number
      AND document_counts.epoch < collections.epoch
    ORDER BY slot`);
  return rows.map(({ slot }) => slot);
}

/**
 * Closes a shard to creates of an earlier epoch: waits for those under way, and later ones find it closed. One shard at
 * a time, so that creates wait only for one another.
 */
export async function closeShard(db: ProjectDb, number: number, shard: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.document_counts SET epoch = (
      SELECT epoch FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number})
    WHERE project_id = ${db.scope} AND collection = ${number} AND slot = ${shard}
      AND EXISTS (SELECT FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number})`);
}
