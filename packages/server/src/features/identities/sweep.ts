import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';

/** Forgets logins that nobody ended and codes that no provider would take any more, some at once. */
export async function forgetOldOAuth(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM cell.oauth_states WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.oauth_states WHERE expires_at < now() LIMIT 5000))`,
  );
  await run(
    pool,
    sql`DELETE FROM cell.used_oauth_codes WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.used_oauth_codes WHERE expires_at < now() LIMIT 5000))`,
  );
}
