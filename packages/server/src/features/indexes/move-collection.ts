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
import { findLeftBehind, finishMove, moveSome, waitBriefly } from './move-store.ts';
import { saveProgress } from './store.ts';

/**
 * Who wants to write a document that is just moving waits until all that move with it have: as many as take about
 * this long, large or small. The rest in between is for others, who want the disk, too.
 */
const chunk = { first: 20, least: 5, most: 1000, goalMs: 50, restMs: 5 };
/** How long what others hold is left to them before it is looked for again: ever longer. */
const heldMs = { first: 20, most: 1000 };
const reportEveryMs = 500;

interface MoveOptions {
  readonly signal: AbortSignal;
  /**
   * Lets PostgreSQL learn what is in the new table. Called as soon as something is: until then it takes the conditions
   * on project and collection, which all documents there fulfil, to let hardly any through, and reads whole tables for
   * short lists.
   */
  readonly learn?: () => Promise<void>;
}

/**
 * Moves a collection to a table of its own while it is read and written. Every document is in one of the two tables at
 * any moment; a node that stops anywhere in here leaves the rest to the next one that is asked.
 */
export async function moveCollection(
  db: ProjectDb,
  number: number,
  { signal, learn }: MoveOptions,
): Promise<'moved' | 'gone'> {
  const collection = await patiently(signal, () => beginMove(db, number));
  if (!collection) return 'gone';
  await closeOldSlots(db, number, signal);
  const total = await countDocuments(db, number);
  let done = 0;
  let reportedAt = 0;
  let limit = chunk.first;
  let waitMs = heldMs.first;
  let from = await findLeftBehind(db, number);
  while (!signal.aborted && from !== null) {
    const step = await moveSome(db, collection, { from, limit });
    if (!step) return 'gone';
    if (step.last === null) {
      // The rest was held by others when its turn came.
      from = await findLeftBehind(db, number);
      if (from !== null) await sleep(waitMs);
      waitMs = Math.min(2 * waitMs, heldMs.most);
      continue;
    }
    from = step.last;
    waitMs = heldMs.first;
    if (done === 0) await learn?.();
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
