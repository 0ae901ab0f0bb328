import type { Pool } from 'pg';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';

/** Forgets sign-ins that are past their time. */
export async function forgetEndedSessions(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.sessions`, sql`expires_at < now()`);
}
