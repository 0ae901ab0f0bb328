export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

/** One write: documents as they would become; null removes. `at` is the item of a batch. */
export interface Wish {
  readonly id: string;
  readonly fields: Fields | null;
  readonly at: number;
}

/** What is refused: by which index, and for which item. */
interface Refusal {
  readonly index: string;
  readonly at: number;
}

/** A naive copy of a collection with unique indexes. */
export class UniqueOracle {
  readonly documents = new Map<string, Fields>();
  readonly #indexes: readonly string[][];

  constructor(indexes: readonly string[][]) {
    this.#indexes = indexes;
  }

  /** Does all that is wished, or nothing: then it says which items are to blame. */
  write(wishes: readonly Wish[]): Refusal[] {
    const refusals = this.#indexes.flatMap((index) => this.#refusals(index, wishes));
    if (refusals.length > 0) {
      const first = Math.min(...refusals.map(({ at }) => at));
      return refusals.filter(({ at }) => at === first);
    }
    for (const { id, fields } of wishes) {
      if (fields) this.documents.set(id, fields);
      else this.documents.delete(id);
    }
    return [];
  }

  /** The documents that an index constrains. */
  heldBy(index: readonly string[]): string[] {
    return [...this.documents.keys()].filter((id) => keyOf(index, this.documents.get(id)!)).toSorted();
  }

  #refusals(index: readonly string[], wishes: readonly Wish[]): Refusal[] {
    const wished = new Map(wishes.map((wish) => [wish.id, wish]));
    const taken = new Set<string>();
    for (const [id, fields] of this.documents) {
      const key = keyOf(index, fields);
      const wish = wished.get(id);
      // A document that keeps its value comes before those that want it.
      if (key && (!wish || keyOf(index, wish.fields ?? {}) === key)) taken.add(key);
    }
    const refusals: Refusal[] = [];
    for (const { id, fields, at } of wishes.toSorted((a, b) => a.at - b.at)) {
      const key = keyOf(index, fields ?? {});
      if (!key || key === keyOf(index, this.documents.get(id) ?? {})) continue;
      if (taken.has(key)) refusals.push({ index: index.join(), at });
      taken.add(key);
    }
    return refusals;
  }
}

function keyOf(index: readonly string[], fields: Fields): string | undefined {
  const values = index.map((path) => valueAt(fields, path.split('.')));
  return values.every((value) => value !== undefined && value !== null) ? canonical(values) : undefined;
}

function valueAt(value: Json | undefined, [key, ...rest]: readonly string[]): Json | undefined {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join()}}`;
}
