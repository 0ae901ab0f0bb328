import type { Pool } from 'pg';
import { run } from './pool.ts';
import { type Sql, sql } from './sql.ts';

const mostAtOnce = 5000;

/** Deletes rows of a whole cell that are past their time, some at once: a sweep is short, and comes again. */
export async function sweepRows(pool: Pool, table: Sql, isOver: Sql): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${isOver} LIMIT ${mostAtOnce}))`,
  );
}
