import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import {
  type Collection,
  countDocuments,
  lockCollection,
  namesOf,
  notifyChanged,
} from '../collections/index.ts';
import { closeOldShards } from './close-old-shards.ts';
import { beginPlacementEpoch, findLeftBehind, finishMove, moveSome } from './move-store.ts';
import { createOwnTable } from './own-table-store.ts';
import { patientTransaction } from './patient-transaction.ts';
import { isInOwnTable, isInSharedTable } from './table-store.ts';

/**
 * Whoever wants to write a document that is just moving waits for all that move with it. So a chunk is as many documents
 * as take about this long, large or small. The rest in between is for others, who need the disk, too.
 */
const chunk = { first: 20, least: 5, most: 1000, goalMs: 50, restMs: 5 };
/** How long to wait before looking again for documents that others hold: longer each time. */
const heldMs = { first: 20, most: 1000 };
const reportEveryMs = 500;

export interface MoveOptions {
  readonly signal: AbortSignal;
  /** The same project over a connection without a time limit. */
  readonly unhurried?: ProjectDb;
  /**
   * Lets PostgreSQL learn what is in the new table. Called as soon as something is: until then it expects the conditions
   * on project and collection, which all documents there meet, to let hardly any through, and reads whole tables for
   * short lists.
   */
  readonly learn?: () => Promise<void>;
  /** Hears now and then how far the move is. */
  readonly onProgress?: (progress: { done: number; total: number }) => Promise<void>;
}

/**
 * Moves a collection to a table of its own while it is read and written. Every document is in one of the two tables at
 * any moment; if the node stops anywhere in here, the next one that is asked goes on.
 */
export async function moveCollection(
  db: ProjectDb,
  number: number,
  options: MoveOptions,
): Promise<'moved' | 'gone'> {
  const { signal } = options;
  const collection = await patientTransaction(db, signal, (db) => beginMove(db, number));
  if (!collection) return 'gone';
  await closeOldShards(db, number, signal);
  if (!(await moveDocuments(db, collection, options))) return 'gone';
  signal.throwIfAborted();
  await patientTransaction(db, signal, (db) => endMove(db, number));
  return 'moved';
}

/** From the end of this transaction on, whoever knows of it puts new documents into the new table. */
async function beginMove(db: ProjectDb, number: number): Promise<Collection | undefined> {
  const collection = await lockCollection(db, number);
  if (!collection || !isInSharedTable(collection)) return collection;
  await createOwnTable(db, number);
  await notifyChanged(db, namesOf(collection));
  await beginPlacementEpoch(db, number, 'moving');
  return { ...collection, home: 'moving' };
}

/** Moves chunk by chunk until none is left behind, or the signal stops it; false if the collection is gone. */
async function moveDocuments(
  db: ProjectDb,
  collection: Collection,
  { signal, unhurried = db, learn, onProgress }: MoveOptions,
): Promise<boolean> {
  const { number } = collection;
  const total = await countDocuments(db, number);
  let done = 0;
  let reportedAt = 0;
  let limit = chunk.first;
  let waitMs = heldMs.first;
  let from = await findLeftBehind(unhurried, number);
  while (!signal.aborted && from !== null) {
    const moved = await moveSome(db, collection, { from, limit });
    if (!moved) return false;
    if (moved.last === null) {
      // Others held the rest when its turn came.
      from = await findLeftBehind(unhurried, number);
      if (from !== null) await sleep(waitMs);
      waitMs = Math.min(2 * waitMs, heldMs.most);
      continue;
    }
    from = moved.last;
    waitMs = heldMs.first;
    if (done === 0) await learn?.();
    done += moved.count;
    limit = nextLimit(limit, moved.ms);
    if (performance.now() - reportedAt > reportEveryMs) {
      await onProgress?.({ done, total });
      reportedAt = performance.now();
    }
    await sleep(chunk.restMs);
  }
  return true;
}

/** A size that takes about as long as it should: at most twice the last one, at least half of it. */
function nextLimit(limit: number, tookMs: number): number {
  const factor = Math.min(Math.max(chunk.goalMs / tookMs, 0.5), 2);
  return Math.min(Math.max(Math.round(limit * factor), chunk.least), chunk.most);
}

async function endMove(db: ProjectDb, number: number): Promise<void> {
  const collection = await lockCollection(db, number);
  if (!collection || isInOwnTable(collection)) return;
  await finishMove(db, number);
  await notifyChanged(db, namesOf(collection));
}
