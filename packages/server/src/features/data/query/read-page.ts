import { type Sql, sql } from '../../../platform/db/sql.ts';
import { branchesOf } from './branches.ts';
import type { CheckedFilter, CheckedQuery, CheckedSort } from './checked-query.ts';
import { compileFilter } from './compile-filter.ts';
import { forGathering, hasIndexedText } from './for-gathering.ts';
import type { GatherSql, ListRows, ListSource } from './list-source.ts';
import { CutString, type PageCursor } from './page-cursor.ts';
import { isLong } from './scalars.ts';
import { canSortByKeys, compileAfter, compileSort, type SortForm, sortColumns } from './sort.ts';
import { splitByIndex } from './split-by-index.ts';

/** What a page is read by. */
export interface Reading {
  readonly filter: CheckedFilter;
  readonly after: PageCursor | undefined;
  /** How far matches are to be counted; undefined: not at all. */
  readonly upTo: number | undefined;
}

/** One more row than asked for, if there are more. */
export interface ReadPage<Item> extends ListRows<Item> {
  /** How many match, where that came along with them. */
  readonly count?: number;
}

/**
 * Reads a page. Nobody can know beforehand how many texts contain some part, so all that do are gathered, and if they are
 * few the page is among them. Otherwise PostgreSQL knows enough to choose how to read the page.
 */
export async function readListPage<Item>(
  query: CheckedQuery,
  reading: Reading,
  source: ListSource<Item>,
): Promise<ReadPage<Item>> {
  const { filter, upTo } = reading;
  const mayGather = upTo !== undefined && Number.isFinite(upTo) && hasIndexedText(filter);
  const gathered =
    mayGather && source.gather ? await source.gather(gatherSql(query, reading, upTo + 1)) : undefined;
  if (gathered && mayGather && gathered.count <= upTo) return gathered;
  const found = await readInOrder(query, reading, source);
  return { ...found, ...(gathered && { count: gathered.count }) };
}

function gatherSql(
  { sort, limit, offset }: CheckedQuery,
  { filter, after }: Reading,
  upTo: number,
): GatherSql {
  return {
    matching: matchingSql(filter),
    after: after ? compileAfter(sort, after, 'exact') : sql`true`,
    orderBy: compileSort(sort, 'exact'),
    sortColumns: sortColumns(sort),
    limit: limit + 1,
    offset,
    upTo,
  };
}

/** Conditions of which every match passes exactly one, for reading in no order. */
export function matchingSql(filter: CheckedFilter): Sql[] {
  return branchesOf(forGathering(filter)).map(compileFilter);
}

/** By keys where indexes have them; if the page then holds strings that keys do not tell apart, once more, exactly. */
async function readInOrder<Item>(
  query: CheckedQuery,
  { filter, after }: Reading,
  source: ListSource<Item>,
): Promise<ListRows<Item>> {
  const where = compileFilter(filter);
  const parts = splitByIndex(filter, query.sort, source.indexes ?? []);
  const read = (form: SortForm) => {
    const later = (where: Sql) =>
      after ? sql`${where} AND ${compileAfter(query.sort, after, form)}` : where;
    return source.page({
      where: later(where),
      orderBy: compileSort(query.sort, form),
      ...(parts && { parts: parts.map(later) }),
      sortColumns: sortColumns(query.sort),
      limit: query.limit + 1,
      offset: query.offset,
    });
  };
  if (!canSortByKeys(query.sort, after)) return read('exact');
  const found = await read('by keys');
  return found.rows.some(({ sortValues }) => sortValues.some(isLong)) ? read('exact') : found;
}

/**
 * Where a cursor kept only the beginning of a long string, the rest is read from its row. If that has gone or changed,
 * or the caller may not read it (a cursor can be made up), the page starts at the beginning of its equals: it may repeat
 * rows, and misses none.
 */
export async function completePosition<Item>(
  source: ListSource<Item>,
  readable: CheckedFilter,
  sort: readonly CheckedSort[],
  position: PageCursor,
): Promise<PageCursor> {
  if (!position.values.some((value) => value instanceof CutString)) return position;
  const {
    rows: [row],
  } = await source.page({
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
    return sort[at]?.descending ? `${value.beginning}\u{10ffff}` : value.beginning;
  });
  return { id: position.id, values };
}
