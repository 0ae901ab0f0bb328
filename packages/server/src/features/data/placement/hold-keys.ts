import { isDeepStrictEqual } from 'node:util';
import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Collection, namesOf, notifyChanged } from '../collections/index.ts';
import { saveKeys, storeKeys } from './key-store.ts';
import { areSame, keyPaths, keysWith } from './stored-keys.ts';

interface HoldOptions {
  /** Paths beside those of the indexes. */
  readonly others?: readonly Path[] | undefined;
  /** Places where no document holds anything. */
  readonly free?: readonly number[];
}

/** Has the table hold the keys of all indexes of a collection that the transaction has locked, and of further paths. */
export async function holdKeys(
  db: ProjectDb,
  collection: Collection,
  { others = [], free }: HoldOptions,
): Promise<void> {
  const { storedKeys, indexes, number } = collection;
  const keys = keysWith(storedKeys, [...keyPaths(indexes), ...others], { now: Date.now(), free });
  if (!areSame(keys, storedKeys)) await storeKeys(db, number, keys);
  else if (isDeepStrictEqual(keys, storedKeys)) return;
  await saveKeys(db, number, keys);
  await notifyChanged(db, namesOf(collection));
}
