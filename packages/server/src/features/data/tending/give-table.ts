import type { Path } from '@plinth/protocol';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { saveProgress } from '../indexes/index.ts';
import {
  analyzeOwnTable,
  isInSharedTable,
  mostOwnTables,
  moveCollection,
  roomForOwnTable,
} from '../placement/index.ts';
import type { Builder } from './deps.ts';
import { settle } from './settle.ts';

const failures = {
  'project full':
    'The project has reached its tier’s limit of large collections with indexes. Delete one, or raise the tier.',
  'cell full': `This part of the service has no room for another large collection with indexes (the limit is ${mostOwnTables.inCell}). Contact its operator.`,
};

/**
 * Moves the collection to a table of its own. An index that waits for it fails if there is no room for another
 * table. Indexes that are known only once there is one may have keys, too. False if there is nothing to go on with.
 */
export async function giveTable(
  builder: Builder,
  collection: Collection,
  { waiting, keys }: { waiting?: CollectionIndex; keys?: readonly Path[] } = {},
): Promise<boolean> {
  const { connection, db, limits, log, signal } = builder;
  const { number } = collection;
  const room = isInSharedTable(collection) ? await roomForOwnTable(db, limits.ownTables) : 'enough';
  if (room !== 'enough') {
    if (!waiting) return false;
    await settle(builder, collection, waiting, { state: 'failed', failure: failures[room] });
    return true;
  }
  const startedAt = performance.now();
  const learn = () => analyzeOwnTable(connection, collection);
  const onProgress = (progress: { done: number; total: number }) => saveProgress(db, number, progress);
  const unhurried = db.over(connection);
  if ((await moveCollection(db, number, { signal, unhurried, learn, keys, onProgress })) === 'gone')
    return false;
  await learn();
  log.info(
    { collection: collection.id, ms: Math.round(performance.now() - startedAt) },
    'a collection was moved to its own table',
  );
  return true;
}
