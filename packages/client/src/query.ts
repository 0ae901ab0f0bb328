import type { Operator } from '@plinth/protocol';
import type { Door } from './door.ts';
import type { CallOptions } from './http.ts';
import type { Change, FollowOptions } from './live/live-side.ts';
import type { LiveList } from './live/live-state.ts';
import type { CheckedLinks, ComparedWith, FilterPath, LinkPath, Populated, SortPath } from './paths.ts';
import type { ProjectTypes } from './project-types.ts';
import {
  addText,
  type Condition,
  type FilterValue,
  type PagePosition,
  printCondition,
  printFilter,
  printQuery,
  type QueryState,
} from './query-text.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of items on all pages; undefined if they were not counted. */
  readonly total: number | undefined;
  /** There are more than `total`: counting stopped there. */
  readonly totalIsFloor: boolean;
  readonly hasMore: boolean;
  /** For the next page. */
  readonly nextCursor: string | null;
  /** With `versions: true`: the version of each item, for `ifMatch`. */
  readonly versions?: readonly string[];
}

export interface PageOptions extends CallOptions, PagePosition {
  readonly count?: 'exact' | 'none';
  readonly versions?: boolean;
}

type Single = Exclude<Operator, 'in' | 'notin' | 'isnull'>;

/** Makes one condition, as `where` takes it. */
interface Is<P extends ProjectTypes, D> {
  <const Path extends FilterPath<D>>(path: Path, value: ComparedWith<P, D, Path> | null): Condition;
  <const Path extends FilterPath<D>>(
    path: Path,
    operator: 'in' | 'notin',
    values: readonly ComparedWith<P, D, Path>[],
  ): Condition;
  <const Path extends FilterPath<D>>(path: Path, operator: 'isnull', value: boolean): Condition;
  <const Path extends FilterPath<D>>(
    path: Path,
    operator: Single,
    value: ComparedWith<P, D, Path>,
  ): Condition;
}

/** Longer queries travel in the body of a POST: proxies cut long addresses. */
const longestAddress = 2000;
const largestPage = 100;

/** A query, built step by step. Each step returns a new query; nothing is sent until you read it. */
export class Query<P extends ProjectTypes, D extends object, Item> implements AsyncIterable<Item> {
  /** For packages that build on this one. */
  readonly door: Door;
  /** The name of the collection. */
  readonly collection: string;
  readonly state: QueryState;

  constructor(door: Door, collection: string, state: QueryState) {
    this.door = door;
    this.collection = collection;
    this.state = state;
  }

  /** Anything that a query string can express: `where('year__gte=1900&orderBy=-year')`. */
  where(text: string): Query<P, D, Item>;
  /** Equality; null matches both null and missing fields. */
  where<const Path extends FilterPath<D>>(
    path: Path,
    value: ComparedWith<P, D, Path> | null,
  ): Query<P, D, Item>;
  where<const Path extends FilterPath<D>>(
    path: Path,
    operator: 'in' | 'notin',
    values: readonly ComparedWith<P, D, Path>[],
  ): Query<P, D, Item>;
  where<const Path extends FilterPath<D>>(path: Path, operator: 'isnull', value: boolean): Query<P, D, Item>;
  where<const Path extends FilterPath<D>>(
    path: Path,
    operator: Single,
    value: ComparedWith<P, D, Path>,
  ): Query<P, D, Item>;
  where(...given: readonly [string, ...unknown[]]): Query<P, D, Item> {
    if (given.length === 1) return this.#as(addText(this.state, given[0]));
    const spare = `g${this.state.groups}`;
    return this.#filtered(printCondition(conditionOf(given), { spare }));
  }

  /** At least one of these conditions: `any((is) => [is('featured', true), is('author_id', me)])`. */
  any(conditions: (is: Is<P, D>) => readonly Condition[]): Query<P, D, Item> {
    const group = `g${this.state.groups}`;
    const is = (...given: readonly [string, ...unknown[]]) => conditionOf(given);
    const printed = conditions(is as Is<P, D>).flatMap((condition) => printCondition(condition, { group }));
    // None of nothing holds.
    return this.#filtered(printed.length > 0 ? printed : printCondition(never));
  }

  /** Fields to sort by, with `-` in front for descending: `orderBy('-year', 'title')`. */
  orderBy(...fields: readonly SortPath<D>[]): Query<P, D, Item> {
    return this.#with({ sort: fields });
  }

  /** Adds linked records next to their ids: `populate('author', 'city.country')`. */
  populate<const Paths extends readonly LinkPath<D>[]>(
    ...paths: Paths & CheckedLinks<P, D, Paths>
  ): Query<P, D, Populated<P, Item, Paths[number]>> {
    return this.#as({ ...this.state, populate: [...this.state.populate, ...(paths as readonly string[])] });
  }

  /** Returns only these fields, and the id. */
  select<Field extends keyof D & string>(
    ...fields: readonly Field[]
  ): Query<P, D, Pick<Item & D & { id: string }, Field | ('id' & keyof Item)>> {
    return this.#as({ ...this.state, select: [...this.state.select, ...fields] });
  }

  /** The maximum number of items. */
  limit(limit: number): Query<P, D, Item> {
    if (!(Number.isSafeInteger(limit) && limit > 0))
      throw new TypeError('A limit must be an integer above 0.');
    return this.#with({ limit });
  }

  /** Reads one page of at most 100 items. */
  async page(options: PageOptions = {}): Promise<Page<Item>> {
    const { cursor, limit, offset, count, versions, headers, ...others } = options;
    const query = printQuery(this.state, { cursor, limit, offset });
    const prefer = [...(count ? [`count=${count}`] : []), ...(versions ? ['versions'] : [])].join(', ');
    const path = `/collections/${encodeURIComponent(this.collection)}`;
    const isLong = query.length > longestAddress;
    const answer = await this.door.http.call<Item[]>({
      ...others,
      ...(isLong
        ? { method: 'POST', path: `${path}/query`, body: query, isRepeatable: true }
        : { method: 'GET', path, query }),
      headers: { ...(prefer && { Prefer: prefer }), ...headers },
    });
    return {
      items: answer.data,
      total: answer.total,
      totalIsFloor: answer.totalIsFloor ?? false,
      hasMore: answer.hasMore ?? false,
      nextCursor: answer.nextCursor ?? null,
      ...(answer.versions && { versions: answer.versions }),
    };
  }

  /** Iterates over all items, page by page: the thousandth page is as fast as the first. */
  async *each(options: CallOptions = {}): AsyncGenerator<Item, void> {
    let left = this.state.limit ?? Number.POSITIVE_INFINITY;
    let cursor: string | undefined;
    do {
      const limit = Math.min(largestPage, left);
      const page: Page<Item> = await this.page({ ...options, limit, count: 'none', cursor });
      yield* page.items;
      left -= page.items.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && left > 0);
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    return this.each();
  }

  /** Reads all items into one array: only for lists that you know to be short. */
  async all(options: CallOptions = {}): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this.each(options)) all.push(item);
    return all;
  }

  async first(options: CallOptions = {}): Promise<Item | undefined> {
    return (await this.page({ ...options, limit: 1, count: 'none' })).items[0];
  }

  /** Returns the exact number of items. */
  async count(options: CallOptions = {}): Promise<number> {
    return (await this.page({ ...options, limit: 1, count: 'exact' })).total ?? 0;
  }

  /**
   * The current list, updated live. Nothing is sent before the first subscription. With a limit, or with populated or
   * selected fields, the list is read again whenever one of its documents changes.
   */
  live(): LiveList<Item> {
    return this.door.live.list(this.collection, this.state);
  }

  /** Calls back with every later change of a matching document, across reconnects. Returns a function to unsubscribe. */
  follow(listener: (change: Change<Item>) => void, options: FollowOptions = {}): () => void {
    return this.door.live.follow(this.collection, this.state, listener, options);
  }

  /** The query string, for use with curl, rules and the dashboard. */
  toString(): string {
    return printQuery(this.state);
  }

  /** Only the conditions of the query. */
  get filter(): string {
    return printFilter(this.state);
  }

  #filtered(conditions: readonly string[]): Query<P, D, Item> {
    const isGrouped = conditions.some((condition) => condition.startsWith('[or:'));
    const groups = this.state.groups + (isGrouped ? 1 : 0);
    return this.#with({ filters: [...this.state.filters, ...conditions], groups });
  }

  #with(change: Partial<QueryState>): Query<P, D, Item> {
    return this.#as({ ...this.state, ...change });
  }

  #as<As>(state: QueryState): Query<P, D, As> {
    return new Query(this.door, this.collection, state);
  }
}

const never: Condition = { path: 'id', operator: 'in', value: [] };

function conditionOf([path, ...rest]: readonly [string, ...unknown[]]): Condition {
  const [operator, value] = rest.length === 1 ? ['eq', rest[0]] : rest;
  if (value === undefined)
    throw new TypeError(`"${path}" is compared with undefined. Remove the condition, or use null.`);
  return { path, operator: operator as Operator, value: value as FilterValue };
}
