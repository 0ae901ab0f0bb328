import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import {
  type Collection,
  countDocuments,
  lockCollection,
  namesOf,
  notifyChanged,
} from '../collections/index.ts';
import { closeOldShards } from './close-old-shards.ts';
import { holdKeys } from './hold-keys.ts';
import { type ChunkOptions, inChunks } from './in-chunks.ts';
import { beginPlacementEpoch, findLeftBehind, finishMove, moveSome } from './move-store.ts';
import { createOwnTable } from './own-table-store.ts';
import { patientTransaction } from './patient-transaction.ts';
import { isInOwnTable, isInSharedTable } from './table-store.ts';

export interface MoveOptions extends ChunkOptions {
  /**
   * Lets PostgreSQL learn what is in the new table. Called as soon as something is: until then it expects the conditions
   * on project and collection, which all documents there meet, to let hardly any through, and reads whole tables for
   * short lists.
   */
  readonly learn?: () => Promise<void>;
  /** Paths whose keys the table is to hold beside those of the collection's indexes. */
  readonly keys?: readonly Path[] | undefined;
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
  const { signal, keys } = options;
  const collection = await patientTransaction(db, signal, (db) => beginMove(db, number, keys));
  if (!collection) return 'gone';
  await closeOldShards(db, number, signal);
  if (!(await moveDocuments(db, collection, options))) return 'gone';
  signal.throwIfAborted();
  await patientTransaction(db, signal, (db) => endMove(db, number));
  return 'moved';
}

/** From the end of this transaction on, whoever knows of it puts new documents into the new table. */
async function beginMove(
  db: ProjectDb,
  number: number,
  keys?: readonly Path[],
): Promise<Collection | undefined> {
  const collection = await lockCollection(db, number);
  if (!collection || !isInSharedTable(collection)) return collection;
  await createOwnTable(db, number);
  await holdKeys(db, collection, { others: keys });
  await notifyChanged(db, namesOf(collection));
  await beginPlacementEpoch(db, number, 'moving');
  return { ...collection, home: 'moving' };
}

/** False if the collection is gone. */
async function moveDocuments(
  db: ProjectDb,
  collection: Collection,
  { signal, unhurried = db, learn, onProgress }: MoveOptions,
): Promise<boolean> {
  const { number } = collection;
  const total = await countDocuments(db, number);
  return inChunks({
    signal,
    findLeft: () => findLeftBehind(unhurried, number),
    doSome: (from, limit) => moveSome(db, collection, { from, limit }),
    onProgress: async (done) => onProgress?.({ done, total }),
    onFirst: learn,
  });
}

async function endMove(db: ProjectDb, number: number): Promise<void> {
  const collection = await lockCollection(db, number);
  if (!collection || isInOwnTable(collection)) return;
  await finishMove(db, number);
  await notifyChanged(db, namesOf(collection));
}
