import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../../platform/db/pool.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { closeSlot, listOldSlots } from '../collections/index.ts';
import { waitBriefly } from './move-store.ts';

/** When this returns, every create that was made in an earlier epoch of the collection has ended, one way or the other. */
export async function closeOldSlots(db: ProjectDb, number: number, signal: AbortSignal): Promise<void> {
  for (const slot of await listOldSlots(db, number)) {
    await patiently(signal, () =>
      db.transaction(async (db) => {
        await waitBriefly(db);
        await closeSlot(db, number, slot);
      }),
    );
  }
}

const longestWaitMs = 60_000;

/** Tries again what gave up waiting for a lock, with pauses in which everybody else goes on. */
export async function patiently<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - startedAt > longestWaitMs) throw error;
      await sleep(50 + Math.random() * 200);
    }
  }
}
