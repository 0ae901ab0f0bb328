import type { Client, Pool } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import { sql } from '../../../platform/db/sql.ts';

/**
 * Has PostgreSQL notice during a long statement that its node died, instead of going on. Not every system can: then it
 * goes on.
 */
export async function endWithNode(connection: Client): Promise<void> {
  await run(connection, sql`SET client_connection_check_interval = '2s'`).catch(() => {});
}

/** Takes the lock of this name until the session ends; false if another session has it. */
export async function takeLock(connection: Client, name: string): Promise<boolean> {
  const [lock] = await run<{ isOurs: boolean }>(
    connection,
    sql`SELECT pg_try_advisory_lock(hashtextextended(${name}, 0)) AS "isOurs"`,
  );
  return lock?.isOurs ?? false;
}

/** The process of PostgreSQL that serves the session. */
export async function findProcess(connection: Client): Promise<number | undefined> {
  const [row] = await run<{ id: number }>(connection, sql`SELECT pg_backend_pid() AS id`);
  return row?.id;
}

/** How far a process is with the index that it builds; undefined if it builds none. */
export async function findBuildProgress(
  pool: Pool,
  processId: number,
): Promise<{ done: number; total: number } | undefined> {
  const [row] = await run<{ done: string; total: string }>(
    pool,
    sql`SELECT CASE WHEN tuples_total > 0 THEN tuples_done ELSE blocks_done END AS done,
        CASE WHEN tuples_total > 0 THEN tuples_total ELSE blocks_total END AS total
      FROM pg_stat_progress_create_index WHERE pid = ${processId}`,
  );
  return row && row.total !== '0' ? { done: Number(row.done), total: Number(row.total) } : undefined;
}
