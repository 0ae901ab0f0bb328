import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { type CheckedSort, isTime, type Target } from './checked-query.ts';
import type { PageCursor } from './page-cursor.ts';
import { isLong } from './scalars.ts';
import { keyOf, valueOf } from './value-of.ts';

/**
 * How an order is written: by the values themselves, or by the sort keys that indexes have. Keys say nothing about the
 * order of strings that begin with the same 128 characters: a page by keys is right if it has no such string.
 */
export type SortForm = 'exact' | 'by keys';

/** What the rows are sorted by, as an ORDER BY list. */
export function compileSort(sort: readonly CheckedSort[], form: SortForm): Sql {
  return join(
    termsOf(sort, form).map(({ term, descending }) => (descending ? sql`${term} DESC` : sql`${term} ASC`)),
    ', ',
  );
}

interface Term {
  readonly target: Target;
  readonly term: Sql;
  readonly descending: boolean;
  /** Which of the sort fields it belongs to. */
  readonly at: number;
  readonly isKey: boolean;
}

/** By its exact value, a field that has an index is sorted by its key first: most of the work is then done. */
function termsOf(sort: readonly CheckedSort[], form: SortForm): Term[] {
  return sort.flatMap(({ target, descending }, at) => {
    const exact = { target, term: sortValue(target), descending, at, isKey: false };
    if (!hasKey(target)) return [exact];
    const key = { target, term: keyOf(target), descending, at, isKey: true };
    return form === 'exact' ? [key, exact] : [key];
  });
}

function hasKey(target: Target): boolean {
  return target.kind === 'json' && (target.indexed?.hasKey ?? false);
}

/** Is anything gained by writing the order by keys? */
export function canSortByKeys(sort: readonly CheckedSort[], position: PageCursor | undefined): boolean {
  return sort.some(({ target }) => hasKey(target)) && !position?.values.some(isLong);
}

/** The sort values of a row, for its cursor; the id is in the row already. */
export function sortColumns(sort: readonly CheckedSort[]): Sql {
  const values = sort.slice(0, -1).map(({ target }) => sortValue(target));
  return values.length === 0 ? sql`` : sql`, jsonb_build_array(${join(values, ', ')})::text AS sort_values`;
}

/** The rows that come after a position. */
export function compileAfter(sort: readonly CheckedSort[], position: PageCursor, form: SortForm): Sql {
  const terms = termsOf(sort, form).map(({ target, term, descending, at, isKey }) => {
    const bound = boundOf(target, position, at);
    return { term, descending, bound: isKey ? sql`cell.sort_key(${bound})` : bound };
  });
  const [first] = terms;
  if (!first) return sql`true`;
  if (terms.every(({ descending }) => descending === first.descending)) {
    const row = join(
      terms.map(({ term }) => term),
      ', ',
    );
    const bounds = join(
      terms.map(({ bound }) => bound),
      ', ',
    );
    return first.descending ? sql`(${row}) < (${bounds})` : sql`(${row}) > (${bounds})`;
  }
  const equalSoFar: Sql[] = [];
  const later: Sql[] = [];
  for (const { term, descending, bound } of terms) {
    later.push(
      join([...equalSoFar, descending ? sql`${term} < ${bound}` : sql`${term} > ${bound}`], ' AND '),
    );
    equalSoFar.push(sql`${term} = ${bound}`);
  }
  // The first says where an index starts.
  const start = first.descending
    ? sql`${first.term} <= ${first.bound}`
    : sql`${first.term} >= ${first.bound}`;
  return sql`(${start} AND (${join(
    later.map((part) => sql`(${part})`),
    ' OR ',
  )}))`;
}

function sortValue(target: Target): Sql {
  if (target.kind === 'column') {
    if (target.column === 'id') return sql`own.id`;
    if (target.column === 'updatedAt') return sql`own.updated_at`;
    if (target.column === 'createdAt')
      return sql`('x' || left(replace(own.id::text, '-', ''), 12))::bit(48)::bigint`;
  }
  return sql`cell.sort_value(${valueOf(target)})`;
}

function boundOf(target: Target, position: PageCursor, at: number): Sql {
  if (at === position.values.length) return sql`${position.id}::uuid`;
  if (isTime(target)) return sql`${position.values[at]}::bigint`;
  return sql`${JSON.stringify(position.values[at])}::jsonb`;
}
