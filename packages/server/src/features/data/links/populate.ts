import type { Path } from '@plinth/protocol';
import { ByteBudget, invalidQuery } from '../../../calls/index.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { collectionOfId, isId } from '../../../platform/ids.ts';
import { fieldsOfRelation } from '../query/index.ts';
import { type Fields, isObject, parseFields } from '../records/index.ts';
import { populateTooLarge } from './errors.ts';
import { LinkedRecord, writeLinked } from './linked-record.ts';

/** Reads what the caller may see of some records, wanted by collection (0: app users): id to JSON text. Fails if that
 * has more bytes than may still be read. */
export type LoadLinked = (
  wanted: ReadonlyMap<number, ReadonlySet<string>>,
  bytes: number,
) => Promise<ReadonlyMap<string, string>>;

/** What to populate: names, and under each what to populate in the records found there. */
interface Tree {
  readonly branches: Map<string, Tree>;
  /** Those that were found here, by id. */
  readonly records: Map<string, LinkedRecord>;
}

/** A field to be replaced. */
interface Place {
  readonly holder: Fields;
  /** Where the linked record goes: the field itself, or the asked name where that is another. */
  readonly name: string;
  readonly value: string | readonly unknown[];
  readonly next: Tree;
}

/** Depth of links that `populate` follows. @limit invalid_query */
const maxDepth = 5;
/** Records that `populate` reads for one response. @limit populate_too_large */
const maxRecords = 1000;

interface Population {
  readonly paths: readonly Path[];
  readonly load: LoadLinked;
  /** Whose call it is. */
  readonly asker: string;
}

/**
 * Puts linked records in the place of their ids, level by level: one query for each level and target collection. Returns
 * what writes the holders, or parts of them, as JSON.
 */
export async function populate(
  holders: readonly Fields[],
  { paths, load, asker }: Population,
): Promise<(value: unknown) => string> {
  if (paths.some((path) => path.length > maxDepth)) {
    throw invalidQuery('populate', `Population can go at most ${maxDepth} levels deep.`);
  }
  const tree = treeOf(paths);
  const linked: LinkedRecord[] = [];
  const budget = new ByteBudget();
  const yielder = new Yielder(asker);
  let places = holders.flatMap((holder) => placesIn(holder, tree));
  let placed = 0;
  while (places.length > 0) {
    const ids = places.flatMap(({ value }) => [value].flat().filter(isIdText));
    placed += ids.length;
    if (placed > maxRecords) throw populateTooLarge(maxRecords);
    const texts = await load(byCollection(ids), budget.left);
    yielder.begin();
    const next: Place[] = [];
    for (const place of places) {
      for (const id of [place.value].flat().filter(isIdText)) {
        if (yielder.isRestDue) await yielder.rest();
        const text = texts.get(id);
        if (text === undefined) continue;
        // Written out wherever it is linked to, but read once for all places that want the same of it.
        budget.spend(text.length);
        if (!place.next.records.has(id)) next.push(...addLinked(place.next, { id, text, linked }));
      }
      fill(place);
    }
    places = next;
  }
  for (const { records } of innermostFirst(tree)) {
    for (const record of records.values()) {
      if (yielder.isRestDue) await yielder.rest();
      if (record.fields) record.text = writeLinked(record.fields, linked);
    }
  }
  return (value) => writeLinked(value, linked);
}

function byCollection(ids: readonly string[]): Map<number, Set<string>> {
  const wanted = new Map<number, Set<string>>();
  for (const id of ids) {
    const collection = collectionOfId(id);
    wanted.set(collection, (wanted.get(collection) ?? new Set()).add(id));
  }
  return wanted;
}

/** Reads a linked record only if links in it are to be followed: where, is returned. */
function addLinked(
  tree: Tree,
  { id, text, linked }: { id: string; text: string; linked: LinkedRecord[] },
): Place[] {
  const fields = tree.branches.size > 0 ? parseFields(text) : undefined;
  const places = fields ? placesIn(holderOf(fields, collectionOfId(id)), tree) : [];
  const record = new LinkedRecord(linked.length, text, places.length > 0 ? fields : undefined);
  linked.push(record);
  tree.records.set(id, record);
  return places;
}

function fill({ holder, name, value, next }: Place): void {
  const recordOf = (id: string) => next.records.get(id) ?? null;
  holder[name] =
    typeof value === 'string'
      ? recordOf(value)
      : value
          .map((element) => (isIdText(element) ? recordOf(element) : element))
          .filter((element, at) => element !== null || value[at] === null);
}

/** Where a record keeps its links: documents at the root, app users in `data`. */
export function holderOf(record: Fields, collection: number): Fields {
  const { data } = record;
  return collection === 0 && isObject(data) ? data : record;
}

function placesIn(holder: Fields, tree: Tree): Place[] {
  return Array.from(tree.branches, ([name, next]) => {
    const field = fieldsOfRelation(name).find((candidate) => Object.hasOwn(holder, candidate));
    if (field === undefined) return [];
    const value = holder[field];
    // A plain object on the way is entered, and does not count as a level.
    if (isObject(value)) return placesIn(value, next);
    if (isIdText(value) || (Array.isArray(value) && value.some(isIdText)))
      return [{ holder, name, value, next }];
    return [];
  }).flat();
}

function isIdText(value: unknown): value is string {
  return typeof value === 'string' && isId(value);
}

function treeOf(paths: readonly Path[]): Tree {
  const newTree = (): Tree => ({ branches: new Map(), records: new Map() });
  const root = newTree();
  for (const path of paths) {
    let level = root;
    for (const name of path) {
      const next = level.branches.get(name) ?? newTree();
      level.branches.set(name, next);
      level = next;
    }
  }
  return root;
}

function innermostFirst(tree: Tree): Tree[] {
  return [...Array.from(tree.branches.values(), innermostFirst).flat(), tree];
}
