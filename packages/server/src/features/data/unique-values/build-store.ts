import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, sql } from '../../../platform/db/sql.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { tableOf } from '../placement/index.ts';
import { stored, valuesAt } from './values-store.ts';

/** How many documents one step of building takes, and rows one step of dropping. */
const steps = { documents: 2000, rows: 5000 };

/** For the rest of the transaction, has PostgreSQL walk an index whose order is asked for, instead of sorting everything. */
export async function walkInOrder(db: ProjectDb): Promise<void> {
  await db.query(sql`
    SELECT set_config('enable_bitmapscan', 'off', true) WHERE ${db.scope}::bigint IS NOT NULL`);
}

/** Keeps others from changing the next documents of a collection for the rest of the transaction. */
export async function holdNext(
  db: ProjectDb,
  collection: Collection,
  after: string | undefined,
): Promise<{ ids: string[]; isLast: boolean }> {
  const found: string[] = [];
  for (const table of tableOf(collection).tables) {
    const rows = await db.query<{ id: string }>(sql`
      SELECT id FROM ${table} WHERE project_id = ${db.scope} AND collection = ${collection.number}
        AND id > ${after ?? firstId}::uuid ORDER BY id LIMIT ${steps.documents} FOR SHARE`);
    found.push(...rows.map(({ id }) => id));
  }
  const ids = found.toSorted().slice(0, steps.documents);
  return { ids, isLast: ids.length < steps.documents };
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** The values of a stored document at the fields of an index. */
export async function findValues(
  db: ProjectDb,
  collection: Collection,
  { index, id }: { index: CollectionIndex; id: string },
): Promise<unknown[]> {
  const [row] = await db.query<{ values: unknown[] }>(sql`
    SELECT jsonb_build_array(${join(valuesAt(index), ', ')}) AS values FROM ${stored(db, collection, [id])}`);
  return row?.values ?? [];
}

/** Removes some of the values of an index that nobody keeps any more; how many. */
export async function removeSome(db: ProjectDb, { number }: Collection, indexId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    WITH removed AS (
      DELETE FROM cell.unique_values WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM cell.unique_values
        WHERE project_id = ${db.scope} AND index_id = ${indexId} AND collection = ${number}
        ORDER BY index_id, hash LIMIT ${steps.rows} FOR UPDATE)) RETURNING true)
    SELECT count(*)::int AS count FROM removed`);
  return row?.count ?? 0;
}
