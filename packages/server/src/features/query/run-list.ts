import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Page } from '../../platform/http/answer.ts';
import { branchesOf } from './branches.ts';
import { type CheckedFilter, type CheckedQuery, type CheckedSort, isEverything } from './checked-query.ts';
import { compileFilter } from './compile-filter.ts';
import { type CursorPosition, CutString, decodeCursor, encodeCursor } from './cursor.ts';
import { findFewLinks } from './few-links.ts';
import { forGathering, hasIndexedText } from './for-gathering.ts';
import { isLong } from './scalars.ts';
import { canSortByKeys, compileAfter, compileSort, type SortForm, sortColumns } from './sort.ts';
import { type SortIndex, splitByIndex } from './split-by-index.ts';

/** A page to read, in SQL on the row `own`. */
export interface PageSql {
  readonly where: Sql;
  readonly orderBy: Sql;
  /** Instead of `where`: conditions of parts that no two share a row of, and each of which some index has in order. */
  readonly parts?: readonly Sql[];
  /** Goes behind the columns of the row: `sort_values`, JSON text, where the order has more than the id. */
  readonly sortColumns: Sql;
  readonly limit: number;
  readonly offset: number;
}

/** All that matches, if it is little: then it is put in order, and a page taken. */
export interface GatherSql extends Omit<PageSql, 'where' | 'parts'> {
  /** Conditions of parts that no two share a row of. */
  readonly matching: readonly Sql[];
  /** Nobody can tell before how many match. */
  readonly isUnsure: boolean;
  /** Which of it the page may have. */
  readonly after: Sql;
  /** Counts no further than this, and reads no page if there is so much. */
  readonly upTo: number;
}

interface ListRow<Item> {
  readonly item: Item;
  readonly id: string;
  readonly sortValues: unknown[];
}

/** Where a list comes from. */
export interface ListSource<Item> {
  page(page: PageSql): Promise<ListRow<Item>[]>;
  /** How many match, and the page if that is less than `upTo`. */
  readonly gather?: (gather: GatherSql) => Promise<{ count: number; rows: ListRow<Item>[] }>;
  /** How many match, counting no further than `upTo`. */
  count(where: Sql, upTo: number | null): Promise<number>;
  /** How many there are, without counting. */
  countAll(): Promise<number>;
  /** The ids that a statement answers; only for a source that all sees in one state. */
  readonly findLinked?: (statement: Sql) => Promise<string[]>;
  /** Indexes by which the list can be in order. */
  readonly indexes?: readonly SortIndex[];
}

export type CountWish = 'default' | 'exact' | 'none';

/** Filtered totals are exact up to here; counting every match of every list would cost far more than the list. */
const countedMatches = 1000;

/** Runs a list for a caller who may read what `readable` lets through. */
export async function runList<Item>(
  query: CheckedQuery,
  readable: CheckedFilter,
  source: ListSource<Item>,
  wish: CountWish,
): Promise<{ items: Item[]; page: Page; all: number | undefined }> {
  const asked: CheckedFilter = { kind: 'and', of: [readable, query.filter] };
  const checked = source.findLinked ? await findFewLinks(asked, source.findLinked) : asked;
  const filter = compileFilter(checked);
  const after =
    query.cursor === undefined
      ? undefined
      : await completePosition(source, readable, query.sort, decodeCursor(query.sort, query.cursor));
  const isCounted = wish !== 'none' && !isEverything(checked);
  const [{ rows: found, count }, all] = await Promise.all([
    readFound(query, { checked, filter, after, isCounted }, source),
    wish === 'none' ? undefined : source.countAll(),
  ]);
  const rows = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const last = rows.at(-1);
  let total = all;
  let totalIsFloor = false;
  if (isCounted) {
    const isWhole = !hasMore && query.cursor === undefined && (rows.length > 0 || query.offset === 0);
    const known = isWhole ? query.offset + rows.length : count;
    const isEnough = known !== undefined && (known <= countedMatches || wish === 'default');
    const counted = isEnough
      ? known
      : await source.count(filter, wish === 'exact' ? null : countedMatches + 1);
    totalIsFloor = wish === 'default' && counted > countedMatches;
    total = totalIsFloor ? countedMatches : counted;
  }
  return {
    items: rows.map(({ item }) => item),
    all,
    page: {
      total,
      totalIsFloor,
      limit: query.limit,
      offset: query.offset,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor(query.sort, { id: last.id, values: last.sortValues }) : null,
    },
  };
}

interface Reading {
  readonly checked: CheckedFilter;
  readonly filter: Sql;
  readonly after: CursorPosition | undefined;
}

/**
 * What has to be counted anyway is counted first: all of it is in hand then, and if it is little the page is, too,
 * however wrong PostgreSQL is about how much there is. Of much, the page is read on its own.
 */
async function readFound<Item>(
  query: CheckedQuery,
  reading: Reading & { readonly isCounted: boolean },
  source: ListSource<Item>,
): Promise<{ rows: ListRow<Item>[]; count?: number }> {
  const gathered =
    reading.isCounted && source.gather ? await source.gather(gatherSql(query, reading)) : undefined;
  if (gathered && gathered.count <= countedMatches) return gathered;
  const rows = await readRows(query, reading, source);
  return gathered ? { rows, count: gathered.count } : { rows };
}

function gatherSql({ sort, limit, offset }: CheckedQuery, { checked, after }: Reading): GatherSql {
  return {
    matching: branchesOf(forGathering(checked)).map(compileFilter),
    isUnsure: hasIndexedText(checked),
    after: after ? compileAfter(sort, after, 'exact') : sql`true`,
    orderBy: compileSort(sort, 'exact'),
    sortColumns: sortColumns(sort),
    limit: limit + 1,
    offset,
    upTo: countedMatches + 1,
  };
}

/** By keys where indexes have them; if the page then holds strings that keys do not tell apart, once more, exactly. */
async function readRows<Item>(
  query: CheckedQuery,
  { checked, filter, after }: Reading,
  source: ListSource<Item>,
): Promise<ListRow<Item>[]> {
  const parts = splitByIndex(checked, query.sort, source.indexes ?? []);
  const read = (form: SortForm) => {
    const later = (where: Sql) =>
      after ? sql`${where} AND ${compileAfter(query.sort, after, form)}` : where;
    return source.page({
      where: later(filter),
      orderBy: compileSort(query.sort, form),
      ...(parts && { parts: parts.map(later) }),
      sortColumns: sortColumns(query.sort),
      limit: query.limit + 1,
      offset: query.offset,
    });
  };
  if (!canSortByKeys(query.sort, after)) return read('exact');
  const rows = await read('by keys');
  return rows.some(({ sortValues }) => sortValues.some(isLong)) ? read('exact') : rows;
}

/**
 * Where a cursor kept only the beginning of a long string, the rest is read from its row. If that has gone or changed,
 * or the caller may not read it (a cursor can be made up), the page starts at the beginning of its equals: it may repeat
 * rows, and misses none.
 */
async function completePosition<Item>(
  source: ListSource<Item>,
  readable: CheckedFilter,
  sort: readonly CheckedSort[],
  position: CursorPosition,
): Promise<CursorPosition> {
  if (!position.values.some((value) => value instanceof CutString)) return position;
  const [row] = await source.page({
    where: sql`own.id = ${position.id}::uuid AND ${compileFilter(readable)}`,
    orderBy: compileSort(sort, 'exact'),
    sortColumns: sortColumns(sort),
    limit: 1,
    offset: 0,
  });
  const values = position.values.map((value, at) => {
    if (!(value instanceof CutString)) return value;
    const current = row?.sortValues[at];
    if (typeof current === 'string' && current.startsWith(value.beginning)) return current;
    return sort[at]!.descending ? `${value.beginning}\u{10ffff}` : value.beginning;
  });
  return { id: position.id, values };
}

/** What Prefer asks of the total. */
export function readCountWish(headers: Readonly<Record<string, string | string[] | undefined>>): CountWish {
  const wish = /(?:^|[,;\s])count=(exact|none)\b/.exec(String(headers.prefer ?? ''))?.[1];
  return (wish as CountWish | undefined) ?? 'default';
}
