import { setTimeout as sleep } from 'node:timers/promises';
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
import { closeOldSlots, patiently } from './close-old-slots.ts';
import { finishMove, hasLeftBehind, moveSome, waitBriefly } from './move-store.ts';
import { saveProgress } from './store.ts';

/**
 * Who wants to write a document that is just moving waits until all that move with it have: as many as take about
 * this long, large or small. The rest in between is for others, who want the disk, too.
 */
const chunk = { first: 200, least: 10, most: 1000, goalMs: 50, restMs: 5 };
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
  await closeOldSlots(db, number, signal);
  const total = await countDocuments(db, number);
  let done = 0;
  let reportedAt = 0;
  let after = firstId;
  let limit = chunk.first;
  while (!signal.aborted) {
    const step = await moveSome(db, collection, { after, limit });
    if (!step) return 'gone';
    if (step.last === null) {
      if (after === firstId && !(await hasLeftBehind(db, number))) break;
      // What was held by others when its turn came is looked for again, from the beginning.
      after = firstId;
      await sleep(20);
      continue;
    }
    after = step.last;
    done += step.count;
    limit = nextLimit(limit, step.ms);
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

/** From the end of this transaction on those who know of it put new documents into the new table. */
async function beginMove(db: ProjectDb, number: number): Promise<Collection | undefined> {
  return db.transaction(async (db) => {
    await waitBriefly(db);
    const collection = await lockCollection(db, number);
    if (!collection || collection.home !== 'shared') return collection;
    await createOwnTable(db, number);
    await notifyChanged(db, namesOf(collection));
    // Last, since creates wait from here on.
    await beginEpoch(db, number, 'moving');
    return { ...collection, home: 'moving' };
  });
}

/** Towards what takes the time it should, by half or twice at most. */
function nextLimit(limit: number, tookMs: number): number {
  const factor = Math.min(Math.max(chunk.goalMs / tookMs, 0.5), 2);
  return Math.min(Math.max(Math.round(limit * factor), chunk.least), chunk.most);
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
