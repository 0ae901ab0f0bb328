import { setTimeout as sleep } from 'node:timers/promises';
import { onlyRow } from '../../../platform/db/only-row.ts';
import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { readVisibility, type Visibility } from './visibility.ts';

/** About ten seconds. */
const mostLooks = 500;

/** What the transaction of `db` sees. */
export async function currentVisibility(db: ProjectDb): Promise<Visibility> {
  const rows = await db.query<{ seen: string }>(
    sql`SELECT pg_current_snapshot()::text AS seen WHERE ${db.scope}::bigint IS NOT NULL`,
  );
  return readVisibility(onlyRow(rows).seen);
}

/** A commit can be in the log a moment before readers see it: they would still read what was there before. */
export async function untilVisible(pool: Pool, xid: number): Promise<void> {
  for (let tries = 0; tries < mostLooks; tries += 1) {
    const rows = await run<{ seen: string }>(pool, sql`SELECT pg_current_snapshot()::text AS seen`);
    if (readVisibility(onlyRow(rows).seen).sees(xid)) return;
    await sleep(Math.min(tries, 20));
  }
}
