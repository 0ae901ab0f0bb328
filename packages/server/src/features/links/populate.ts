import type { Path } from '@plinth/protocol';
import { collectionOfId, isId } from '../../platform/ids.ts';
import { parseJsonText } from '../../platform/json.ts';
import { fieldsOfRelation, invalidQuery } from '../query/index.ts';
import { populateTooLarge } from './errors.ts';

type Fields = Record<string, unknown>;

/** Reads what the caller may see of some records, wanted by collection (0: app users): id to JSON text. */
export type LoadLinked = (
  wanted: ReadonlyMap<number, ReadonlySet<string>>,
) => Promise<ReadonlyMap<string, string>>;

/** What to populate: names, and under each what to populate in the records found there. */
interface Tree extends ReadonlyMap<string, Tree> {}

/** A field to be replaced. */
interface Place {
  readonly holder: Fields;
  /** Where the linked record goes: the field itself, or the asked name where that is another. */
  readonly name: string;
  readonly value: string | readonly unknown[];
  readonly next: Tree;
}

const maxDepth = 5;
const maxRecords = 1000;

/** Puts linked records in the place of their ids, level by level: one query for each level and target collection. */
export async function populate(
  holders: readonly Fields[],
  paths: readonly Path[],
  load: LoadLinked,
): Promise<void> {
  if (paths.length === 0) return;
  if (paths.some((path) => path.length > maxDepth)) {
    throw invalidQuery('populate', `Population goes at most ${maxDepth} levels deep.`);
  }
  const tree = treeOf(paths);
  let places = holders.flatMap((holder) => placesIn(holder, tree));
  let placed = 0;
  while (places.length > 0) {
    placed += places.reduce((sum, { value }) => sum + [value].flat().filter(isIdText).length, 0);
    if (placed > maxRecords) throw populateTooLarge(maxRecords);
    places = await fillLevel(places, load);
  }
}

async function fillLevel(places: readonly Place[], load: LoadLinked): Promise<Place[]> {
  const wanted = new Map<number, Set<string>>();
  for (const { value } of places) {
    for (const id of typeof value === 'string' ? [value] : value) {
      if (typeof id !== 'string' || !isId(id)) continue;
      const collection = collectionOfId(id);
      if (!wanted.has(collection)) wanted.set(collection, new Set());
      wanted.get(collection)!.add(id);
    }
  }
  const loaded = await load(wanted);
  const nextPlaces: Place[] = [];
  for (const { holder, name, value, next } of places) {
    const recordOf = (id: string) => {
      const text = loaded.get(id);
      if (text === undefined) return null;
      const record = parseJsonText(text) as Fields;
      nextPlaces.push(...placesIn(holderOf(record, collectionOfId(id)), next));
      return record;
    };
    holder[name] =
      typeof value === 'string'
        ? recordOf(value)
        : value
            .map((element) => (typeof element === 'string' && isId(element) ? recordOf(element) : element))
            .filter((element, at) => element !== null || value[at] === null);
  }
  return nextPlaces;
}

/** Where a record keeps its links: documents at the root, app users in `data`. */
export function holderOf(record: Fields, collection: number): Fields {
  return collection === 0 ? (record.data as Fields) : record;
}

function placesIn(holder: Fields, tree: Tree): Place[] {
  return Array.from(tree, ([name, next]) => {
    const field = fieldsOfRelation(name).find((candidate) => Object.hasOwn(holder, candidate));
    if (field === undefined) return [];
    const value = holder[field];
    // A plain object on the way is walked into; it is no level.
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return placesIn(value as Fields, next);
    const isLink = typeof value === 'string' ? isId(value) : Array.isArray(value) && value.some(isIdText);
    return isLink ? [{ holder, name, value: value as string | unknown[], next }] : [];
  }).flat();
}

function isIdText(value: unknown): boolean {
  return typeof value === 'string' && isId(value);
}

function treeOf(paths: readonly Path[]): Tree {
  const root = new Map<string, Tree>();
  for (const path of paths) {
    let level = root;
    for (const name of path) {
      if (!level.has(name)) level.set(name, new Map<string, Tree>());
      level = level.get(name) as Map<string, Tree>;
    }
  }
  return root;
}
