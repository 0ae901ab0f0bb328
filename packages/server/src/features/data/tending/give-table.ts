import type { Collection, CollectionIndex } from '../collections/index.ts';
import { saveProgress } from '../indexes/index.ts';
import {
  analyzeOwnTable,
  hasRoomForOwnTable,
  isInSharedTable,
  maxOwnTables,
  moveCollection,
} from '../placement/index.ts';
import type { Builder } from './deps.ts';
import { settle } from './settle.ts';

/**
 * Moves the collection to a table of its own. An index that waits for it fails if the cell has no room for another
 * table. False if there is nothing to go on with.
 */
export async function giveTable(
  builder: Builder,
  collection: Collection,
  waiting?: CollectionIndex,
): Promise<boolean> {
  const { connection, db, log, signal } = builder;
  const { number } = collection;
  if (isInSharedTable(collection) && !(await hasRoomForOwnTable(db))) {
    if (!waiting) return false;
    const failure = `This part of the service has no room for a further large collection of its own (${maxOwnTables} at most). Ask its operator.`;
    await settle(builder, collection, waiting, { state: 'failed', failure });
    return true;
  }
  const startedAt = performance.now();
  const learn = () => analyzeOwnTable(connection, collection);
  const onProgress = (progress: { done: number; total: number }) => saveProgress(db, number, progress);
  if ((await moveCollection(db, number, { signal, learn, onProgress })) === 'gone') return false;
  await learn();
  log.info(
    { collection: collection.id, ms: Math.round(performance.now() - startedAt) },
    'a collection has moved to a table of its own',
  );
  return true;
}
