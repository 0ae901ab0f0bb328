import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';

/** Forgets sign-ins that are past their time, some at once. */
export async function forgetEndedSessions(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM cell.sessions WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.sessions WHERE expires_at < now() LIMIT 5000))`,
  );
}
