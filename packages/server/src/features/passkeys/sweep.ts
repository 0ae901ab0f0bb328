import type { Pool } from 'pg';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';

/** Forgets challenges that are past their time. */
export async function forgetOldPasskeyChallenges(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.passkey_challenges`, sql`expires_at < now()`);
}
