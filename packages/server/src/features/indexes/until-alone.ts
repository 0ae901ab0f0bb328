import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';

const longestWaitMs = 60_000;
const tryEveryMs = 500;

/** Waits until no other session does the work of this name, and keeps others from it until this one ends. */
export async function untilAlone(connection: Client, name: string, signal: AbortSignal): Promise<void> {
  // While a long statement runs PostgreSQL would not notice that its node died, and go on. Not every system can tell.
  await run(connection, sql`SET client_connection_check_interval = '2s'`).catch(() => {});
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const [lock] = await run<{ isOurs: boolean }>(
      connection,
      sql`SELECT pg_try_advisory_lock(hashtextextended(${name}, 0)) AS "isOurs"`,
    );
    if (lock!.isOurs) return;
    // A node that was thought dead is still at it.
    if (performance.now() - startedAt > longestWaitMs)
      throw new Error('Another node looks after the indexes of this collection.');
    await sleep(tryEveryMs);
  }
}
