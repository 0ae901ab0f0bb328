import { formatPath } from '@plinth/protocol';
import type { CheckedFilter, CheckedQuery, Target } from '../query/index.ts';

/** What a query asks of a collection, without any value: the same for all queries that the same indexes would help. */
export interface Shape {
  readonly conditions: readonly ShapeCondition[];
  /** The fields of the order, `-` in front for descending; the id that ends every order is left out. */
  readonly sort: readonly string[];
  /** Are there alternatives? Indexes then help only if every one of them has one. */
  readonly isDisjunctive: boolean;
}

export interface ShapeCondition {
  readonly field: string;
  /** By what it can be found: its sort key, parts of its text, the records it links to, or nothing. */
  readonly use: 'key' | 'text' | 'link' | 'none';
  /** Some condition on the key is a range: what follows the field in an index is then in no order. */
  readonly isRange?: true;
}

export interface CollectionShape {
  readonly collection: number;
  readonly shape: Shape;
}

type Sort = CheckedQuery['sort'];
type Test = Extract<CheckedFilter, { kind: 'test' }>;
type Linked = Extract<CheckedFilter, { kind: 'linked' }>;

/** The shape of a query in the collection that it lists. */
export function shapeOf(filter: CheckedFilter, sort: Sort): Shape {
  const [{ shape }] = shapesOf(filter, sort, 0);
  return shape;
}

/** The shape in the collection that is listed, and then in each collection that its links ask something of. */
export function shapesOf(
  filter: CheckedFilter,
  sort: Sort,
  collection: number,
): [CollectionShape, ...CollectionShape[]] {
  const own = new SeenConditions();
  const linked = new Map<number | undefined, SeenConditions>();
  walk(filter, { seen: own, linked, isNegated: false, canHelp: true });
  const others = [...linked].flatMap(([number, seen]) => {
    const shape = seen.shape([]);
    // App users are no collection.
    return number === undefined || shape.conditions.length === 0 ? [] : [{ collection: number, shape }];
  });
  return [{ collection, shape: own.shape(sortOf(sort)) }, ...others];
}

class SeenConditions {
  readonly #conditions = new Map<string, ShapeCondition>();
  isDisjunctive = false;

  add(field: string, use: ShapeCondition['use'], isRange = false): void {
    const key = `${use} ${field}`;
    if (isRange) this.#conditions.set(key, { field, use, isRange });
    else if (!this.#conditions.has(key)) this.#conditions.set(key, { field, use });
  }

  shape(sort: readonly string[]): Shape {
    const conditions = [...this.#conditions.values()].toSorted(
      (a, b) => order(a.field, b.field) || order(a.use, b.use),
    );
    return { conditions, sort, isDisjunctive: this.isDisjunctive };
  }
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface Walk {
  /** What is asked of the collection at hand. */
  readonly seen: SeenConditions;
  /** What is asked of others, by their number. */
  readonly linked: Map<number | undefined, SeenConditions>;
  readonly isNegated: boolean;
  /** Can an index for what is below help the whole query? */
  readonly canHelp: boolean;
}

function walk(filter: CheckedFilter, at: Walk): void {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const isChoice = filter.of.length > 1 && isOr(filter.kind, at.isNegated);
      if (isChoice) at.seen.isDisjunctive = true;
      const canHelp = at.canHelp && (!isChoice || canFind(filter, at.isNegated));
      for (const part of filter.of) walk(part, { ...at, canHelp });
      return;
    }
    case 'not':
      return walk(filter.of, { ...at, isNegated: !at.isNegated });
    case 'test':
      return seeTest(filter, at);
    case 'linked':
      return seeLinked(filter, at);
  }
}

function seeTest(filter: Test, { seen, isNegated, canHelp }: Walk): void {
  const { target, test, within } = filter;
  const field = fieldOf(target);
  // Nobody asks whether a field is absent: it is how relations choose between the names of a field.
  if (field === undefined || test.kind === 'absent') return;
  // Beside a link, the question is which documents have an object there at all.
  if (within && canHelp && !isNegated) return seen.add(formatPath(within.path), 'link');
  const use = canHelp ? useOf(filter, isNegated) : 'none';
  seen.add(field, use, use === 'key' && test.kind === 'compare');
}

function seeLinked({ target, table, where }: Linked, at: Walk): void {
  const canHelp = at.canHelp && !at.isNegated;
  at.seen.add(formatPath(target.path), canHelp ? 'link' : 'none');
  let seen = at.linked.get(table.collection);
  if (!seen) {
    seen = new SeenConditions();
    at.linked.set(table.collection, seen);
  }
  walk(where, { seen, linked: at.linked, isNegated: false, canHelp });
}

/** Can what passes be found without looking at every document? */
function canFind(filter: CheckedFilter, isNegated: boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return isOr(filter.kind, isNegated)
        ? filter.of.every((part) => canFind(part, isNegated))
        : filter.of.some((part) => canFind(part, isNegated));
    case 'not':
      return canFind(filter.of, !isNegated);
    case 'test':
      return useOf(filter, isNegated) !== 'none';
    case 'linked':
      return !isNegated;
  }
}

/** A negated AND is an OR of negations. */
function isOr(kind: 'and' | 'or', isNegated: boolean): boolean {
  return (kind === 'or') !== isNegated;
}

function useOf({ test, target }: Test, isNegated: boolean): 'key' | 'text' | 'none' {
  if (isNegated) return 'none';
  switch (test.kind) {
    case 'equals':
    case 'compare':
    case 'isnull':
      return 'key';
    case 'contains':
    case 'startswith':
    case 'endswith':
      return target.kind === 'json' ? 'text' : 'none';
    case 'absent':
      return 'none';
  }
}

/** What an index calls the place; undefined for what the primary key serves. */
function fieldOf(target: Target): string | undefined {
  if (target.kind === 'json') return formatPath(target.path);
  return target.column === 'id' || target.column === 'createdAt' ? undefined : target.column;
}

/** As far as indexes can name it: `-` in front of a field means descending, so one that begins with it has no name. */
function sortOf(sort: Sort): string[] {
  const fields = sort.slice(0, -1).map(({ target, descending }) => ({
    field: target.kind === 'json' ? formatPath(target.path) : target.column,
    descending,
  }));
  const end = fields.findIndex(({ field }) => field.startsWith('-'));
  return fields
    .slice(0, end === -1 ? fields.length : end)
    .map(({ field, descending }) => (descending ? `-${field}` : field));
}
