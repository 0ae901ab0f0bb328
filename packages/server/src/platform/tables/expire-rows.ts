import { type Pool, run } from '../db/pool.ts';
import { raw, sql } from '../db/sql.ts';
import type { OwnedTable } from './owned-table.ts';

const mostAtOnce = 5000;

/** Deletes the expired rows of a whole cell, a limited number at once, until there are none left: however fast they come. */
export async function expireRows(
  pool: Pool,
  { name, expires }: OwnedTable,
  isStopped: () => boolean = () => false,
): Promise<void> {
  if (!expires) return;
  const table = raw(name);
  const removeSome = sql`WITH removed AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${expires.when} LIMIT ${mostAtOnce}))
      RETURNING true
    ) SELECT count(*) AS count FROM removed`;
  while (!isStopped()) {
    const [row] = await run<{ count: string }>(pool, removeSome);
    if (Number(row?.count ?? 0) < mostAtOnce) return;
  }
}
