import { type Pool, run } from '../db/pool.ts';
import { raw, sql } from '../db/sql.ts';
import type { OwnedTable } from './owned-table.ts';

const mostAtOnce = 5000;

/** Deletes expired rows of a whole cell, a limited number at once: it is short, and comes again. */
export async function expireRows(pool: Pool, { name, expires }: OwnedTable): Promise<void> {
  if (!expires) return;
  const table = raw(name);
  await run(
    pool,
    sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${expires.when} LIMIT ${mostAtOnce}))`,
  );
}
