import type { Pool } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { expireRows } from './expire-rows.ts';
import type { OwnedTable } from './owned-table.ts';

/** Removes what a database must not bring back from an earlier moment. */
export async function endRestoredRows(pool: Pool, tables: readonly OwnedTable[]): Promise<void> {
  for (const table of tables)
    if (table.endsAtRestore) await expireRows(pool, { ...table, expires: { when: sql`true` } });
}
