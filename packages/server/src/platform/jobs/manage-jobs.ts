import type { Pool } from 'pg';
import { run } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export interface JobRow {
  readonly id: string;
  readonly task: string;
  /** Ref of the project whose call caused it. */
  readonly project: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly lastError: string | null;
  readonly isRunning: boolean;
  /** It was tried as often as allowed, and stays until an operator decides. */
  readonly isFailed: boolean;
}

const listed = 1000;

/** Jobs of a cell, oldest first; at most a thousand. */
export async function listJobs(pool: Pool, isFailedOnly: boolean): Promise<JobRow[]> {
  return run<JobRow & Record<string, unknown>>(
    pool,
    sql`SELECT id, task_identifier AS task, split_part(key, '-', 1) AS project, attempts,
        max_attempts AS "maxAttempts", run_at AS "runAt", last_error AS "lastError", locked_at IS NOT NULL AS "isRunning",
        attempts >= max_attempts AND locked_at IS NULL AS "isFailed"
      FROM graphile_worker.jobs
      WHERE NOT ${isFailedOnly} OR (attempts >= max_attempts AND locked_at IS NULL) ORDER BY id LIMIT ${listed}`,
  );
}

/** Lets jobs be tried again now, as if for the first time; returns how many there were. */
export async function retryJobs(pool: Pool, ids: readonly string[]): Promise<number> {
  const rows = await run(
    pool,
    sql`SELECT id FROM graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`,
  );
  return rows.length;
}

/** Removes jobs that nobody is doing; returns how many there were. */
export async function removeJobs(pool: Pool, ids: readonly string[]): Promise<number> {
  const rows = await run(pool, sql`SELECT id FROM graphile_worker.complete_jobs(${ids}::bigint[])`);
  return rows.length;
}

/** Removes jobs that failed for good a month ago and that no operator has touched since. */
export async function forgetGivenUpJobs(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`SELECT graphile_worker.complete_jobs(ARRAY (
      SELECT id FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL
        AND updated_at < now() - interval '30 days' LIMIT 1000))`,
  );
}
