import { join, type Sql, sql } from '../../platform/db/sql.ts';
import { isId, lowestIdOf } from '../../platform/ids.ts';
import type { CheckedFilter, Comparison, LinkedFilter, Target, Test } from './checked-query.ts';
import type { Scalar } from './scalars.ts';

const signs: Record<Comparison, Sql> = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

/** The columns of the row that a condition is about: an alias of cell.documents or cell.app_users. */
type Row = Sql;

/** The filter as a condition on a row; never null, so that NOT is an exact negation. */
export function compileFilter(filter: CheckedFilter, row: Row = sql`own`, depth = 0): Sql {
  switch (filter.kind) {
    case 'and':
      return filter.of.length === 0 ? sql`true` : sql`(${joinAll(filter.of, row, depth, ' AND ')})`;
    case 'or':
      return filter.of.length === 0 ? sql`false` : sql`(${joinAll(filter.of, row, depth, ' OR ')})`;
    case 'not':
      return sql`NOT ${compileFilter(filter.of, row, depth)}`;
    case 'test':
      return compileTest(filter.target, filter.test, row);
    case 'linked':
      return compileLinked(filter, row, depth + 1);
  }
}

function joinAll(filters: readonly CheckedFilter[], row: Row, depth: number, by: string): Sql {
  return join(
    filters.map((filter) => compileFilter(filter, row, depth)),
    by,
  );
}

/** Aliases of linked rows, by how many links lead there: five of a query, and five of the rule of where it ends. */
const linkedRows = [sql`a`, sql`b`, sql`c`, sql`d`, sql`e`, sql`f`, sql`g`, sql`h`, sql`i`, sql`j`];

function compileLinked({ column, path, collection, where }: LinkedFilter, row: Row, depth: number): Sql {
  const linked = linkedRows[depth - 1];
  if (!linked) throw new Error('A filter goes through more links than were checked.');
  const table = collection === 0 ? sql`cell.app_users` : sql`cell.documents`;
  const inCollection = collection === 0 ? sql`` : sql`AND ${linked}.collection = ${collection}`;
  return sql`EXISTS (SELECT FROM ${table} AS ${linked}
    WHERE ${linked}.project_id = ${row}.project_id ${inCollection}
      AND ${linked}.id = ANY (cell.link_ids(${valueOf({ kind: 'json', column, path }, row)}))
      AND ${compileFilter(where, linked, depth)})`;
}

function compileTest(target: Target, test: Test, row: Row): Sql {
  if (target.kind === 'json') return compileValueTest(valueOf(target, row), test);
  switch (target.column) {
    case 'createdAt':
      return test.kind === 'isnull' ? sql`false` : compileCreatedAt(test, row);
    case 'updatedAt':
      return test.kind === 'isnull' ? sql`false` : compileUpdatedAt(test, row);
    case 'id':
      return test.kind === 'isnull' ? sql`false` : compileId(test, row);
    case 'email':
    case 'role':
    case 'phone':
    case 'email_verified':
      return compileValueTest(valueOf(target, row), test);
  }
}

/** A column as JSON; what has no column of that name is never asked for it. */
const columnValues = {
  id: sql`id::text`,
  createdAt: sql`id::text`,
  updatedAt: sql`updated_at`,
  email: sql`email`,
  role: sql`role`,
  phone: sql`phone`,
  email_verified: sql`email_verified`,
} as const;

const jsonColumns = { data: sql`data`, claims: sql`claims` } as const;

/** The value at a target. Keys are bound values, and `->` with text enters objects only. */
export function valueOf(target: Target, row: Row = sql`own`): Sql {
  if (target.kind === 'column') return sql`to_jsonb(${row}.${columnValues[target.column]})`;
  const steps = target.path.map((key) => sql` -> ${key}::text`);
  return sql`(${row}.${jsonColumns[target.column]}${join(steps, '')})`;
}

function compileValueTest(value: Sql, test: Test): Sql {
  switch (test.kind) {
    case 'equals':
      // @> is equality on scalars and "has this element" on arrays.
      return sql`coalesce(${value} @> ANY (${jsonList(test.candidates)}::jsonb[]), false)`;
    case 'compare':
      return sql`coalesce(jsonb_typeof(${value}) = ${typeof test.to} AND ${value} ${signs[test.comparison]} ${JSON.stringify(test.to)}::jsonb, false)`;
    case 'contains':
      return sql`(coalesce(position(${test.folded}::text IN cell.fold(cell.string_of(${value}))) > 0, false)
        OR coalesce(cell.has_element(${value}, ${jsonList(test.candidates)}::jsonb[], ${test.folded}::text), false))`;
    case 'startswith':
      return sql`coalesce(starts_with(cell.fold(cell.string_of(${value})), ${test.folded}::text), false)`;
    case 'endswith':
      return sql`coalesce(right(cell.fold(cell.string_of(${value})), length(${test.folded}::text)) = ${test.folded}::text, false)`;
    case 'isnull':
      return sql`coalesce(${value} = 'null'::jsonb, true)`;
    case 'absent':
      return sql`(${value} IS NULL)`;
  }
}

/** The id's time is its first 48 bits: a condition on it is a range of the primary key. */
function compileCreatedAt(test: Test, row: Row): Sql {
  if (test.kind === 'equals') {
    const ranges = (test.candidates as number[]).map(
      (ms) => sql`(${row}.id >= ${lowestIdOf(ms)}::uuid AND ${row}.id < ${lowestIdOf(ms + 1)}::uuid)`,
    );
    return ranges.length === 0 ? sql`false` : sql`(${join(ranges, ' OR ')})`;
  }
  if (test.kind !== 'compare') return sql`false`;
  const ms = test.to as number;
  switch (test.comparison) {
    case 'gt':
      return sql`${row}.id >= ${lowestIdOf(ms + 1)}::uuid`;
    case 'gte':
      return sql`${row}.id >= ${lowestIdOf(ms)}::uuid`;
    case 'lt':
      return sql`${row}.id < ${lowestIdOf(ms)}::uuid`;
    case 'lte':
      return sql`${row}.id < ${lowestIdOf(ms + 1)}::uuid`;
  }
}

function compileUpdatedAt(test: Test, row: Row): Sql {
  if (test.kind === 'equals') return sql`${row}.updated_at = ANY (${test.candidates}::bigint[])`;
  if (test.kind !== 'compare') return sql`false`;
  return sql`${row}.updated_at ${signs[test.comparison]} ${test.to}::bigint`;
}

/** An id is a string to the caller; where the text is one, the primary key serves. */
function compileId(test: Test, row: Row): Sql {
  if (test.kind === 'equals') {
    return sql`${row}.id = ANY (${test.candidates.filter((text) => typeof text === 'string' && isId(text))}::uuid[])`;
  }
  if (test.kind !== 'compare') return compileValueTest(valueOf({ kind: 'column', column: 'id' }, row), test);
  if (typeof test.to === 'number') return sql`false`;
  if (isId(test.to)) return sql`${row}.id ${signs[test.comparison]} ${test.to}::uuid`;
  return sql`${row}.id::text ${signs[test.comparison]} ${test.to}`;
}

function jsonList(values: readonly Scalar[]): string[] {
  return values.map((value) => JSON.stringify(value));
}
