import type { Pool } from 'pg';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';

/** Forgets logins that nobody came back from, and codes that are too old to be used again anyway. */
export async function forgetOldOAuth(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.oauth_states`, sql`expires_at < now()`);
  await sweepRows(pool, sql`cell.used_oauth_codes`, sql`expires_at < now()`);
}
