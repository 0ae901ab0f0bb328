import type { Pool } from 'pg';
import { run } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

/** The queue itself takes a job from a dead worker after four hours only, too long for jobs that somebody waits for. */
const silentForS = 20;

/** Records that a worker is alive. */
export async function sayAlive(pool: Pool, workerId: string): Promise<void> {
  await run(
    pool,
    sql`INSERT INTO cell.job_workers (id, seen_at) VALUES (${workerId}, now())
      ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
  );
}

/** Frees the jobs of workers that have been silent for too long; returns those workers. */
export async function freeAbandonedJobs(pool: Pool): Promise<string[]> {
  const silent = await run<{ id: string }>(
    pool,
    sql`WITH silent AS (
        SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs
        WHERE locked_at < now() - ${silentForS} * interval '1 second' AND locked_by NOT IN (
          SELECT id FROM cell.job_workers WHERE seen_at > now() - ${silentForS} * interval '1 second')
      ), forgotten AS (
        DELETE FROM cell.job_workers WHERE seen_at < now() - interval '1 hour'
      )
      SELECT id FROM silent`,
  );
  if (silent.length === 0) return [];
  const ids = silent.map(({ id }) => id);
  await run(pool, sql`SELECT graphile_worker.force_unlock_workers(${ids}::text[])`);
  return ids;
}
