import type { Pool } from 'pg';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';

/** Forgets how many mails were sent in hours that are over. */
export async function forgetMailCounts(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.mail_counts`, sql`hour < now() - interval '2 hours'`);
}
