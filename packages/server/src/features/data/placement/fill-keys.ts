import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Collection, countDocuments, findCollection, lockCollection } from '../collections/index.ts';
import { holdKeys } from './hold-keys.ts';
import { type ChunkOptions, inChunks } from './in-chunks.ts';
import { fillSome, findUnfilled } from './key-store.ts';
import { patientTransaction } from './patient-transaction.ts';
import { placesOf } from './stored-keys.ts';

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
  await patientTransaction(db, signal, async (db) => {
    const collection = await lockCollection(db, number);
    if (collection) await holdKeys(db, collection);
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
