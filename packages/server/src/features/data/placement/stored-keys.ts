import type { Path } from '@plinth/protocol';
import type { Collection, CollectionIndex, StoredKey } from '../collections/index.ts';
import { isInOwnTable } from './table-store.ts';

type Keys = readonly (StoredKey | null)[];
type Keyed = Pick<Collection, 'storedKeys'>;

/**
 * After this long every node knows which indexes there are, however slow its queries and wrong its clock: then no query asks
 * for a key that no index has.
 */
const forgottenMs = 3_600_000;
/** Each makes every write more expensive. Twice what all indexes of a collection can need. */
const mostKeys = 160;

/** The place of a key in the column, counted from 1; undefined if the key is not there. */
export function placeOf({ storedKeys }: Keyed, path: Path): number | undefined {
  const at = storedKeys.findIndex((key) => key !== null && isSame(key.path, path));
  return at === -1 ? undefined : at + 1;
}

/** Have all its documents a column of keys? */
export function holdsKeys(collection: Keyed & Pick<Collection, 'home'>): boolean {
  return isInOwnTable(collection) && collection.storedKeys.length > 0;
}

export function placesOf(collection: Keyed, paths: readonly Path[]): number[] {
  return paths.flatMap((path) => placeOf(collection, path) ?? []);
}

/** The paths whose keys indexes of a collection have, or will have. */
export function keyPaths(indexes: readonly Pick<CollectionIndex, 'kind' | 'state' | 'fields'>[]): Path[] {
  return indexes
    .filter(({ kind, state }) => kind === 'sort' && state !== 'failed')
    .flatMap(({ fields }) => fields.map(({ path }) => path))
    .filter((path) => !isColumn(path));
}

/** Is it a column of the table itself? */
export function isColumn([name, ...rest]: Path): boolean {
  return rest.length === 0 && (name === 'id' || name === 'createdAt' || name === 'updatedAt');
}

/** Indexes on too many different fields have come and gone. */
export class TooManyKeys extends Error {}

/**
 * The keys that a table is to hold. What is there keeps its place; what no index has any more leaves it after a while.
 * New keys are put in places that are free: no document holds anything there.
 */
export function keysWith(
  stored: Keys,
  wanted: readonly Path[],
  { now, free = [] }: { now: number; free?: readonly number[] | undefined },
): (StoredKey | null)[] {
  const keys = stored.map((key) => {
    if (key === null || wanted.some((path) => isSame(path, key.path))) return key && { path: key.path };
    const { path, unusedAt = now } = key;
    return now - unusedAt > forgottenMs ? null : { path, unusedAt };
  });
  const left = free.filter((place) => stored[place - 1] === null);
  for (const path of wanted) {
    if (placeOf({ storedKeys: keys }, path)) continue;
    const place = left.shift() ?? keys.length + 1;
    keys[place - 1] = { path };
  }
  if (keys.filter((key) => key !== null).length > mostKeys)
    throw new TooManyKeys(
      'Indexes on too many different fields were created within an hour. Try again in an hour.',
    );
  return keys;
}

/** The places that no key has, if one is needed for a path. */
export function emptyPlaces({ storedKeys }: Keyed, wanted: readonly Path[]): number[] {
  if (wanted.every((path) => placeOf({ storedKeys }, path))) return [];
  return storedKeys.flatMap((key, at) => (key === null ? [at + 1] : []));
}

/** Are these the same keys in the same places? */
export function areSame(some: Keys, others: Keys): boolean {
  return (
    some.length === others.length &&
    some.every((key, at) => {
      const other = others[at] ?? null;
      return key === null || other === null ? key === other : isSame(key.path, other.path);
    })
  );
}

export function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
