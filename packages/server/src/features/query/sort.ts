import { join, type Sql, sql } from '../../platform/db/sql.ts';
import { type CheckedSort, isTime, type Target } from './checked-query.ts';
import { valueOf } from './compile-filter.ts';
import type { CursorPosition } from './cursor.ts';

/** What the rows are sorted by, as an ORDER BY list. */
export function compileSort(sort: readonly CheckedSort[]): Sql {
  return join(
    sort.map(({ target, descending }) =>
      descending ? sql`${sortKey(target)} DESC` : sql`${sortKey(target)} ASC`,
    ),
    ', ',
  );
}

/** The sort values of a row as columns `s0`, `s1`, …, for its cursor; the id is in the row already. */
export function sortColumns(sort: readonly CheckedSort[]): Sql {
  const keys = sort.slice(0, -1).map(({ target }) => sortKey(target));
  return keys.length === 0 ? sql`` : sql`, jsonb_build_array(${join(keys, ', ')})::text AS sort_values`;
}

/** The rows that come after a position. */
export function compileAfter(sort: readonly CheckedSort[], position: CursorPosition): Sql {
  const equalSoFar: Sql[] = [];
  const later: Sql[] = [];
  for (const [at, { target, descending }] of sort.entries()) {
    const key = sortKey(target);
    const bound = boundOf(target, position, at);
    later.push(join([...equalSoFar, descending ? sql`${key} < ${bound}` : sql`${key} > ${bound}`], ' AND '));
    equalSoFar.push(sql`${key} = ${bound}`);
  }
  return later.length === 1
    ? later[0]!
    : sql`(${join(
        later.map((part) => sql`(${part})`),
        ' OR ',
      )})`;
}

function sortKey(target: Target): Sql {
  if (target.kind === 'column') {
    if (target.column === 'id') return sql`own.id`;
    if (target.column === 'updatedAt') return sql`own.updated_at`;
    if (target.column === 'createdAt')
      return sql`('x' || left(replace(own.id::text, '-', ''), 12))::bit(48)::bigint`;
  }
  return sql`cell.sort_value(${valueOf(target)})`;
}

function boundOf(target: Target, position: CursorPosition, at: number): Sql {
  if (at === position.values.length) return sql`${position.id}::uuid`;
  if (isTime(target)) return sql`${position.values[at]}::bigint`;
  return sql`${JSON.stringify(position.values[at])}::jsonb`;
}
