import { type Collection, type CollectionIndex, countDocuments } from '../collections/index.ts';
import { saveProgress } from '../indexes/index.ts';
import { closeOldShards } from '../placement/index.ts';
import { buildUnique } from '../unique-values/index.ts';
import type { Builder } from './deps.ts';
import { settle } from './settle.ts';

/** Collects the values of documents that were there before the unique index. */
export async function buildUniqueIndex(
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<void> {
  const { db, signal } = builder;
  await closeOldShards(db, collection.number, signal);
  const total = await countDocuments(db, collection.number);
  let after: string | undefined;
  let done = 0;
  do {
    signal.throwIfAborted();
    const step = await buildUnique(db, collection, index, after);
    const [duplicate] = step.duplicates;
    if (duplicate) {
      const failure = `Documents ${duplicate.ids.join(' and ')} have the same value: ${JSON.stringify(duplicate.values).slice(0, 200)}. Change one of them, drop this index and create it again.`;
      return settle(builder, collection, index, { state: 'failed', failure });
    }
    done += step.count;
    after = step.last;
    await saveProgress(db, collection.number, { id: index.id, done, total });
  } while (after !== undefined);
  await settle(builder, collection, index, { state: 'ready' });
}
