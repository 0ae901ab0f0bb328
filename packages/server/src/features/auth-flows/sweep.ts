import type { Pool } from 'pg';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';

/** Forgets links, codes and devices that are past their time. Codes of a day are kept to be counted. */
export async function forgetOldFlows(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.one_time_tokens`, sql`expires_at < now()`);
  await sweepRows(pool, sql`cell.one_time_codes`, sql`created_at < now() - interval '24 hours'`);
  await sweepRows(pool, sql`cell.known_devices`, sql`seen_at < now() - interval '180 days'`);
}
