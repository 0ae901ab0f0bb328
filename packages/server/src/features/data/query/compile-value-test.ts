import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Target, Test } from './checked-query.ts';
import { cutKey, type Scalar } from './scalars.ts';
import { isScalar, keyOf, type Row, signs, valueOf } from './value-of.ts';

/** A test of a JSON value, as an index of the path serves it best. */
export function compileValueTest(target: Target, test: Test, row: Row): Sql {
  const indexed = target.kind === 'json' ? target.indexed : undefined;
  const exact = compileExact(valueOf(target, row), test);
  return (
    (indexed?.hasKey && compileByKey(target, test, row)) ||
    (indexed?.hasText && compileByText(target, test, row, exact)) ||
    exact
  );
}

function compileExact(value: Sql, test: Test): Sql {
  switch (test.kind) {
    case 'equals':
      return hasOneOf(value, test.candidates);
    case 'compare':
      return sql`coalesce(jsonb_typeof(${value}) = ${typeof test.to} AND ${value} ${signs[test.comparison]} ${JSON.stringify(test.to)}::jsonb, false)`;
    case 'contains':
      return sql`(coalesce(position(${test.folded}::text IN cell.fold(cell.string_of(${value}))) > 0, false)
        OR coalesce(jsonb_typeof(${value}) = 'array'
          AND cell.has_element(${value}, ${jsonList(test.candidates)}::jsonb[], ${test.folded}::text), false))`;
    case 'startswith':
      return sql`coalesce(starts_with(cell.fold(cell.string_of(${value})), ${test.folded}::text), false)`;
    case 'endswith':
      return sql`coalesce(right(cell.fold(cell.string_of(${value})), length(${test.folded}::text)) = ${test.folded}::text, false)`;
    case 'isnull':
      return sql`coalesce(${value} = 'null'::jsonb, true)`;
    case 'absent':
      // PostgreSQL expects hardly any row to pass IS NULL; where this is asked, most do.
      return sql`NOT coalesce(${value} IS NOT NULL, false)`;
  }
}

/** `@>` is equality on scalars and "has this element" on arrays. */
function hasOneOf(value: Sql, candidates: readonly Scalar[]): Sql {
  return sql`coalesce(${value} @> ANY (${jsonList(candidates)}::jsonb[]), false)`;
}

// Stored numbers lie between these; strings sort below the first, booleans above the second.
const lowestNumber = sql`'-1e309'::jsonb`;
const highestNumber = sql`'1e309'::jsonb`;
const lowestString = sql`'""'::jsonb`;

/**
 * The same by the sort key. The key says everything about values that are shorter than a key can be: then nothing else
 * is asked, because PostgreSQL would assume that each further condition leaves out more rows.
 */
function compileByKey(target: Target, test: Test, row: Row): Sql | undefined {
  const key = keyOf(target, row);
  const value = valueOf(target, row);
  if (test.kind === 'equals') return equalsByKey(key, value, test.candidates);
  if (test.kind === 'compare') return compareByKey(key, value, test);
  return test.kind === 'isnull' ? sql`(${key} = 'null'::jsonb)` : undefined;
}

/** All arrays have one key, so it is looked for among the others: one range of the index after the other. */
function equalsByKey(key: Sql, value: Sql, candidates: readonly Scalar[]): Sql {
  const keys = candidates.map(cutKey);
  const found = sql`${key} = ANY (${[...jsonList(keys.map(({ key }) => key)), '{}']}::jsonb[])`;
  const has = hasOneOf(value, candidates);
  return keys.some(({ isCut }) => isCut)
    ? sql`(${found} AND ${has})`
    : sql`(${found} AND (${isScalar(value)} OR ${has}))`;
}

function compareByKey(key: Sql, value: Sql, test: Test & { kind: 'compare' }): Sql {
  const { key: bound, isCut } = cutKey(test.to);
  const to = sql`${JSON.stringify(bound)}::jsonb`;
  const isUpward = test.comparison === 'gt' || test.comparison === 'gte';
  const isNumber = typeof test.to === 'number';
  const end = isUpward
    ? sql`${key} < ${isNumber ? highestNumber : lowestNumber}`
    : sql`${key} >= ${isNumber ? lowestNumber : lowestString}`;
  if (!isCut) return sql`(${key} ${signs[test.comparison]} ${to} AND ${end})`;
  const near = isUpward ? sql`${key} >= ${to}` : sql`${key} <= ${to}`;
  return sql`(${near} AND ${end} AND ${compileExact(value, test)})`;
}

/** By the texts that an index of trigrams finds. For strings that is enough; arrays are still tested exactly. */
function compileByText(target: Target, test: Test, row: Row, exact: Sql): Sql | undefined {
  if (!('folded' in test)) return undefined;
  const value = valueOf(target, row);
  const text = sql`cell.search_text(${value})`;
  const isMeant = sql`(coalesce(jsonb_typeof(${value}) = 'string', false) OR ${exact})`;
  const folded = test.folded.replaceAll(/[\\%_]/g, String.raw`\$&`);
  if (test.kind !== 'contains') {
    const pattern = test.kind === 'startswith' ? `${folded}%` : `%${folded}`;
    return sql`(${text} LIKE ${pattern} AND ${isMeant})`;
  }
  // An element of an array may be a number that the caller wrote in another way.
  const others = test.candidates
    .filter((candidate) => typeof candidate !== 'string')
    .map((candidate) => sql`${text} LIKE '%' || (${JSON.stringify(candidate)}::jsonb #>> '{}') || '%'`);
  const like = sql`${text} LIKE ${`%${folded}%`}`;
  return others.length === 0
    ? sql`(${like} AND ${isMeant})`
    : sql`((${join([like, ...others], ' OR ')}) AND ${exact})`;
}

function jsonList(values: readonly Scalar[]): string[] {
  return values.map((value) => JSON.stringify(value));
}
