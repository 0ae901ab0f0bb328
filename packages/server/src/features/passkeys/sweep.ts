import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';

/** Forgets challenges that are past their time, some at once. */
export async function forgetOldPasskeyChallenges(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM cell.passkey_challenges WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.passkey_challenges WHERE expires_at < now() LIMIT 5000))`,
  );
}
