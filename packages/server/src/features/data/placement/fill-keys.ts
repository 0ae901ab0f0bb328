import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Collection, countDocuments, findCollection, lockCollection } from '../collections/index.ts';
import { holdKeys } from './hold-keys.ts';
import { type ChunkOptions, inChunks } from './in-chunks.ts';
import { fillSome, findFree, findUnfilled } from './key-store.ts';
import { patientTransaction } from './patient-transaction.ts';
import { emptyPlaces, keyPaths, placesOf } from './stored-keys.ts';

/**
 * Has the own table of a collection hold the keys of all its indexes, and gives them to the documents that are there.
 * Returns the collection as it is then; undefined if it is gone. If the node stops, the next one that is asked goes on.
 */
export async function fillKeys(
  db: ProjectDb,
  number: number,
  paths: readonly Path[],
  { signal, unhurried = db, onProgress }: ChunkOptions,
): Promise<Collection | undefined> {
  const free = await findPlaces(unhurried, number);
  await patientTransaction(db, signal, async (db) => {
    await lockCollection(db, number);
    // Read once it is held: what the lock gives has the indexes from before the wait for it.
    const collection = await findCollection(db, `#${number}`);
    if (collection) await holdKeys(db, collection, { free });
  });
  const collection = await findCollection(db, `#${number}`);
  const places = collection ? placesOf(collection, paths) : [];
  if (!collection || places.length === 0) return collection;
  const total = await countDocuments(db, number);
  const isThere = await inChunks({
    signal,
    findLeft: () => findUnfilled(unhurried, collection, places),
    doSome: (from, limit) => fillSome(db, collection, { from, limit, places }),
    onProgress: async (done) => onProgress?.({ done, total }),
  });
  signal.throwIfAborted();
  return isThere ? collection : undefined;
}

/** Places of dropped indexes for the keys of new ones: only one node at a time builds indexes of a collection. */
async function findPlaces(db: ProjectDb, number: number): Promise<number[]> {
  const collection = await findCollection(db, `#${number}`);
  if (!collection) return [];
  const places = emptyPlaces(collection, keyPaths(collection.indexes));
  return places.length === 0 ? [] : findFree(db, collection, places);
}
