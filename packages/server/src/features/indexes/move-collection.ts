import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../../platform/db/pool.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import {
  beginEpoch,
  type Collection,
  countDocuments,
  createOwnTable,
  lockCollection,
  namesOf,
  notifyChanged,
} from '../collections/index.ts';
import {
  finishMove,
  hasLeftBehind,
  holdCollection,
  markAsMove,
  moveSome,
  waitBriefly,
} from './move-store.ts';
import { saveProgress } from './store.ts';

/** Documents that move in one transaction, and the rest in between: others want the disk, too. */
const chunk = { documents: 1000, restMs: 5 };
const firstId = '00000000-0000-0000-0000-000000000000';
const reportEveryMs = 500;

/**
 * Moves a collection to a table of its own while it is read and written. Every document is in one of the two tables at
 * any moment; a node that stops anywhere in here leaves the rest to the next one that is asked.
 */
export async function moveCollection(
  db: ProjectDb,
  number: number,
  signal: AbortSignal,
): Promise<'moved' | 'gone'> {
  const collection = await patiently(signal, () => beginMove(db, number));
  if (!collection) return 'gone';
  const total = await countDocuments(db, number);
  let done = 0;
  let reportedAt = 0;
  let after = firstId;
  while (!signal.aborted) {
    const step = await moveChunk(db, collection, after);
    if (step === 'gone') return 'gone';
    if (step.last === null) {
      if (after === firstId && !(await hasLeftBehind(db, number))) break;
      // What was held by others when its turn came is looked for again, from the beginning.
      after = firstId;
      await sleep(20);
      continue;
    }
    after = step.last;
    done += step.count;
    if (performance.now() - reportedAt > reportEveryMs) {
      await saveProgress(db, number, { done, total });
      reportedAt = performance.now();
    }
    await sleep(chunk.restMs);
  }
  signal.throwIfAborted();
  await patiently(signal, () => endMove(db, number));
  return 'moved';
}

/** From the end of this transaction on new documents go to the new table. */
async function beginMove(db: ProjectDb, number: number): Promise<Collection | undefined> {
  return db.transaction(async (db) => {
    await waitBriefly(db);
    const collection = await lockCollection(db, number);
    if (!collection || collection.home !== 'shared') return collection;
    await createOwnTable(db, number);
    await beginEpoch(db, number, 'moving');
    await notifyChanged(db, namesOf(collection));
    return { ...collection, home: 'moving' };
  });
}

async function moveChunk(db: ProjectDb, collection: Collection, after: string) {
  return db.transaction(async (db) => {
    if (!(await holdCollection(db, collection.number))) return 'gone';
    await markAsMove(db);
    return moveSome(db, collection, { after, limit: chunk.documents });
  });
}

async function endMove(db: ProjectDb, number: number): Promise<void> {
  await db.transaction(async (db) => {
    await waitBriefly(db);
    const collection = await lockCollection(db, number);
    if (!collection || collection.home === 'own') return;
    await finishMove(db, number);
    await notifyChanged(db, namesOf(collection));
  });
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
