import type { Path } from '@plinth/protocol';
import { ByteBudget, invalidQuery } from '../../../calls/index.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { collectionOfId, isId } from '../../../platform/ids.ts';
import { fieldsOfRelation } from '../query/index.ts';
import { type Fields, isObject, parseFields } from '../records/index.ts';
import { populateTooLarge } from './errors.ts';

/** Reads what the caller may see of some records, wanted by collection (0: app users): id to JSON text. Fails if that
 * has more bytes than may still be read. */
export type LoadLinked = (
  wanted: ReadonlyMap<number, ReadonlySet<string>>,
  bytes: number,
) => Promise<ReadonlyMap<string, string>>;

/** What to populate: names, and under each what to populate in the records found there. */
interface Tree extends Map<string, Tree> {}

/** A field to be replaced. */
interface Place {
  readonly holder: Fields;
  /** Where the linked record goes: the field itself, or the asked name where that is another. */
  readonly name: string;
  readonly value: string | readonly unknown[];
  readonly next: Tree;
}

/** Links that population follows, one behind the other. @limit invalid_query */
const maxDepth = 5;
/** Records that population reads for one answer. @limit populate_too_large */
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
  const budget = new ByteBudget();
  let placed = 0;
  while (places.length > 0) {
    placed += places.reduce((sum, { value }) => sum + [value].flat().filter(isIdText).length, 0);
    if (placed > maxRecords) throw populateTooLarge(maxRecords);
    places = await fillLevel(places, load, budget);
  }
}

async function fillLevel(places: readonly Place[], load: LoadLinked, budget: ByteBudget): Promise<Place[]> {
  const wanted = new Map<number, Set<string>>();
  for (const { value } of places) {
    for (const id of typeof value === 'string' ? [value] : value) {
      if (!isIdText(id)) continue;
      const collection = collectionOfId(id);
      wanted.set(collection, (wanted.get(collection) ?? new Set()).add(id));
    }
  }
  const loaded = await load(wanted, budget.left);
  const records = new Map<Tree, Map<string, Fields>>();
  const nextPlaces: Place[] = [];
  const yielder = new Yielder();
  for (const { holder, name, value, next } of places) {
    if (yielder.isRestDue) await yielder.rest();
    const recordOf = (id: string) => {
      const text = loaded.get(id);
      if (text === undefined) return null;
      // Written out wherever it is linked to, but read once for all places that want the same of it.
      budget.spend(text.length);
      const known = records.get(next) ?? new Map<string, Fields>();
      records.set(next, known);
      let record = known.get(id);
      if (!record) {
        record = parseFields(text);
        known.set(id, record);
        nextPlaces.push(...placesIn(holderOf(record, collectionOfId(id)), next));
      }
      return record;
    };
    holder[name] =
      typeof value === 'string'
        ? recordOf(value)
        : value
            .map((element) => (isIdText(element) ? recordOf(element) : element))
            .filter((element, at) => element !== null || value[at] === null);
  }
  return nextPlaces;
}

/** Where a record keeps its links: documents at the root, app users in `data`. */
export function holderOf(record: Fields, collection: number): Fields {
  const { data } = record;
  return collection === 0 && isObject(data) ? data : record;
}

function placesIn(holder: Fields, tree: Tree): Place[] {
  return Array.from(tree, ([name, next]) => {
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
  const root: Tree = new Map();
  for (const path of paths) {
    let level = root;
    for (const name of path) {
      const next: Tree = level.get(name) ?? new Map();
      level.set(name, next);
      level = next;
    }
  }
  return root;
}
