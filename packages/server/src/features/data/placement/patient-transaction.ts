import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../../../platform/db/failures.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { waitAtMost } from './move-store.ts';

const longestWaitMs = 60_000;
const briefMs = 300;
/** PostgreSQL stops an automatic VACUUM that is in the way, but only for whoever has waited for a second. */
const vacuumMs = 1500;
const longTry = 6;

/** A transaction that waits for locks only briefly, and tries again after a pause in which everybody else goes on. */
export async function patientTransaction<Result>(
  db: ProjectDb,
  signal: AbortSignal,
  work: (db: ProjectDb) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await db.transaction(async (db) => {
        await waitAtMost(db, tries === longTry ? vacuumMs : briefMs);
        return work(db);
      });
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - startedAt > longestWaitMs) throw error;
      await sleep(50 + Math.random() * 200);
    }
  }
}
