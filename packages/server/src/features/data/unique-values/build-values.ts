import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { findValues, holdNext, removeSome, walkInOrder } from './build-store.ts';
import { claimStored, findHolders } from './store.ts';
import type { Constraint } from './values-store.ts';

interface BuiltStep {
  /** The last document of this step; undefined: there are no further ones. */
  readonly last: string | undefined;
  readonly count: number;
  /** Some of the documents that have the same values. */
  readonly duplicates: readonly Duplicate[];
}

interface Duplicate {
  /** The one that holds the values, and the other. */
  readonly ids: readonly [string, string];
  readonly values: readonly unknown[];
}

/** Claims the values of the next documents that were there before the index; doing it twice does no harm. */
export async function buildUnique(
  db: ProjectDb,
  collection: Collection,
  index: CollectionIndex,
  after?: string,
): Promise<BuiltStep> {
  return db.transaction(async (db) => {
    await walkInOrder(db);
    const constraint = { collection, indexes: [index] };
    const { ids, isLast } = await holdNext(db, collection, after);
    const duplicates: Duplicate[] = [];
    for (const pair of (await collect(db, constraint, ids)).slice(0, mostExamples)) {
      duplicates.push({ ids: pair, values: await findValues(db, collection, { index, id: pair[1] }) });
    }
    return { last: isLast ? undefined : ids.at(-1), count: ids.length, duplicates };
  });
}

const mostExamples = 3;
const mostTries = 5;

/** Claims the values of stored documents; names each that could not have them behind the one that holds them. */
async function collect(
  db: ProjectDb,
  constraint: Constraint,
  ids: readonly string[],
): Promise<[holder: string, document: string][]> {
  for (let tried = 0; tried < mostTries; tried += 1) {
    const lost = await claimStored(db, constraint, ids);
    const found = lost.length === 0 ? [] : await findHolders(db, lost);
    const holders = new Map(found.map(({ hash, document }) => [hash.toString('hex'), document]));
    const pairs = lost.flatMap(({ hash, document }): [string, string][] => {
      const holder = holders.get(hash.toString('hex'));
      return holder === undefined ? [] : [[holder, document]];
    });
    // A holder that went away in between leaves its values to be claimed.
    if (pairs.length === lost.length) return pairs.filter(([holder, document]) => holder !== document);
  }
  throw new Error('The values of a unique index change faster than they can be collected.');
}

/** Removes some of the values of an index that writers no longer keep; how many. */
export async function dropUniqueValues(
  db: ProjectDb,
  collection: Collection,
  indexId: string,
): Promise<number> {
  return db.transaction(async (db) => {
    await walkInOrder(db);
    return removeSome(db, collection, indexId);
  });
}
