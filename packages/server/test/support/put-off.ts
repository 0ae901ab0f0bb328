import type { Pool } from 'pg';
import { expect } from 'vitest';

interface Queue {
  readonly ref: string;
  /** The cell that holds its data. */
  readonly pool: Pool;
}

/** Lets every job of a project fail at least once, then has it wait for longer than any test takes. */
export async function putOff({ pool, ref }: Queue): Promise<void> {
  const others = async () => {
    await pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'
       WHERE key LIKE $1 || '-%' AND attempts > 0 AND locked_at IS NULL`,
      [ref],
    );
    const { rowCount } = await pool.query(
      `SELECT FROM graphile_worker._private_jobs
       WHERE key LIKE $1 || '-%' AND run_at < now() + interval '30 minutes'`,
      [ref],
    );
    return rowCount;
  };
  await expect.poll(others).toBe(0);
}

/** Has the next try of jobs that were put off begin now. */
export async function resume({ pool, ref }: Queue): Promise<void> {
  await pool.query(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE $1 || '-%'`, [
    ref,
  ]);
}
