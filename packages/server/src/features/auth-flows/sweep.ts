import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';

/** Forgets links, codes and devices that are past their time, some at once. Codes of a day are kept to be counted. */
export async function forgetOldFlows(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM cell.one_time_tokens WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.one_time_tokens WHERE expires_at < now() LIMIT 5000))`,
  );
  await run(
    pool,
    sql`DELETE FROM cell.one_time_codes WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.one_time_codes WHERE created_at < now() - interval '24 hours' LIMIT 5000))`,
  );
  await run(
    pool,
    sql`DELETE FROM cell.known_devices WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.known_devices WHERE seen_at < now() - interval '180 days' LIMIT 5000))`,
  );
}
