import { expect } from 'vitest';
import type { Pool } from '../../../src/platform/db/pool.ts';

/** Ends the read that waits for a table, as PostgreSQL does with one whose time is over. */
export async function cancelWaiting(pool: Pool): Promise<void> {
  const cancel = async () => {
    const { rowCount } = await pool.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT ILIKE '%CREATE INDEX%'`);
    return rowCount;
  };
  await expect.poll(cancel, { interval: 20 }).toBe(1);
}
