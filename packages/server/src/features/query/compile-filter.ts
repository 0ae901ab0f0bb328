import { join, type Sql, sql } from '../../platform/db/sql.ts';
import { isId, lowestIdOf } from '../../platform/ids.ts';
import type { CheckedFilter, Comparison, Target, Test } from './checked-query.ts';
import type { Scalar } from './scalars.ts';

const signs: Record<Comparison, Sql> = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

/** The filter as a condition on the columns of `documents`; never null, so that NOT is an exact negation. */
export function compileFilter(filter: CheckedFilter): Sql {
  switch (filter.kind) {
    case 'and':
      return filter.of.length === 0 ? sql`true` : sql`(${join(filter.of.map(compileFilter), ' AND ')})`;
    case 'or':
      return filter.of.length === 0 ? sql`false` : sql`(${join(filter.of.map(compileFilter), ' OR ')})`;
    case 'not':
      return sql`NOT ${compileFilter(filter.of)}`;
    case 'test':
      return compileTest(filter.target, filter.test);
  }
}

function compileTest(target: Target, test: Test): Sql {
  if (target.kind === 'data') return compileValueTest(valueOf(target.path), test);
  if (test.kind === 'isnull') return sql`false`;
  switch (target.field) {
    case 'createdAt':
      return compileCreatedAt(test);
    case 'updatedAt':
      return compileUpdatedAt(test);
    case 'id':
      return compileId(test);
  }
}

/** The value at a path. Keys are bound values, and `->` with text enters objects only. */
export function valueOf(path: readonly string[]): Sql {
  return sql`(data${join(
    path.map((key) => sql` -> ${key}::text`),
    '',
  )})`;
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
  }
}

/** The id's time is its first 48 bits: a condition on it is a range of the primary key. */
function compileCreatedAt(test: Test): Sql {
  if (test.kind === 'equals') {
    const ranges = (test.candidates as number[]).map(
      (ms) => sql`(id >= ${lowestIdOf(ms)}::uuid AND id < ${lowestIdOf(ms + 1)}::uuid)`,
    );
    return ranges.length === 0 ? sql`false` : sql`(${join(ranges, ' OR ')})`;
  }
  if (test.kind !== 'compare') return sql`false`;
  const ms = test.to as number;
  switch (test.comparison) {
    case 'gt':
      return sql`id >= ${lowestIdOf(ms + 1)}::uuid`;
    case 'gte':
      return sql`id >= ${lowestIdOf(ms)}::uuid`;
    case 'lt':
      return sql`id < ${lowestIdOf(ms)}::uuid`;
    case 'lte':
      return sql`id < ${lowestIdOf(ms + 1)}::uuid`;
  }
}

function compileUpdatedAt(test: Test): Sql {
  if (test.kind === 'equals') return sql`updated_at = ANY (${test.candidates}::bigint[])`;
  if (test.kind !== 'compare') return sql`false`;
  return sql`updated_at ${signs[test.comparison]} ${test.to}::bigint`;
}

/** An id is a string to the caller; where the text is one, the primary key serves. */
function compileId(test: Test): Sql {
  if (test.kind === 'equals') {
    return sql`id = ANY (${test.candidates.filter((text) => typeof text === 'string' && isId(text))}::uuid[])`;
  }
  if (test.kind !== 'compare') return compileValueTest(sql`to_jsonb(id::text)`, test);
  if (typeof test.to === 'number') return sql`false`;
  if (isId(test.to)) return sql`id ${signs[test.comparison]} ${test.to}::uuid`;
  return sql`id::text ${signs[test.comparison]} ${test.to}`;
}

function jsonList(values: readonly Scalar[]): string[] {
  return values.map((value) => JSON.stringify(value));
}
