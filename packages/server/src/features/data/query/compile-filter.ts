import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { isId, lowestIdOf } from '../../../platform/ids.ts';
import type { CheckedFilter, LinkedFilter, LinkedTable, Target, Test } from './checked-query.ts';
import { compileValueTest } from './compile-value-test.ts';
import { keyOf, type Row, signs, valueOf } from './value-of.ts';

/**
 * The filter as a condition on the row `own`; never null, so that NOT is an exact negation. The statement fails if a
 * collection that it looks into through a link has moved meanwhile.
 */
export function compileFilter(filter: CheckedFilter): Sql {
  return join(
    [...tablesIn(filter).map(({ isComplete }) => isComplete), compile(filter, sql`own`, 0)],
    ' AND ',
  );
}

/** The tables of linked records that a filter reads, each once. */
function tablesIn(filter: CheckedFilter): LinkedTable[] {
  const found = new Map<number | undefined, LinkedTable>();
  const walk = (part: CheckedFilter): void => {
    if (part.kind === 'and' || part.kind === 'or') part.of.forEach(walk);
    else if (part.kind === 'not') walk(part.of);
    else if (part.kind === 'linked') {
      found.set(part.table.collection, part.table);
      walk(part.where);
    }
  };
  walk(filter);
  found.delete(undefined);
  return [...found.values()];
}

function compile(filter: CheckedFilter, row: Row, depth: number): Sql {
  switch (filter.kind) {
    case 'and':
      return filter.of.length === 0 ? sql`true` : sql`(${joinAll(filter.of, row, depth, ' AND ')})`;
    case 'or':
      return filter.of.length === 0 ? sql`false` : sql`(${joinAll(filter.of, row, depth, ' OR ')})`;
    case 'not':
      return sql`NOT ${compile(filter.of, row, depth)}`;
    case 'test': {
      const passes = compileTest(filter.target, filter.test, row);
      // All objects have one key.
      return filter.within?.indexed?.hasKey
        ? sql`(${keyOf(filter.within, row)} = '{}'::jsonb AND ${passes})`
        : passes;
    }
    case 'linked':
      return compileLinked(filter, row, depth + 1);
  }
}

function joinAll(filters: readonly CheckedFilter[], row: Row, depth: number, by: string): Sql {
  return join(
    filters.map((filter) => compile(filter, row, depth)),
    by,
  );
}

/** Aliases of linked rows, by how many links lead there: five of a query, and five of the rule of where it ends. */
const linkedRows = [sql`a`, sql`b`, sql`c`, sql`d`, sql`e`, sql`f`, sql`g`, sql`h`, sql`i`, sql`j`];

function compileLinked(filter: LinkedFilter, row: Row, depth: number): Sql {
  const { target, table, where } = filter;
  const linked = linkedRows[depth - 1];
  if (!linked) throw new Error('A filter goes through more links than were checked.');
  const found = table.tables.map(
    (place) => sql`EXISTS (SELECT FROM ${place} AS ${linked}
      WHERE ${linked}.project_id = ${row}.project_id ${inCollection(table, linked)}
        AND ${linked}.id = ANY (cell.link_ids(${valueOf(target, row)}))
        AND ${compile(where, linked, depth)})`,
  );
  return sql`(${join(found, ' OR ')})`;
}

function inCollection({ collection }: LinkedTable, row: Row): Sql {
  return collection === undefined ? sql`` : sql`AND ${row}.collection = ${collection}`;
}

/** The ids of the records of a project that are meant by a link, no more than `upTo`. */
export function linkedIds(
  { table, where }: LinkedFilter,
  { project, upTo }: { project: Sql; upTo: number },
): Sql {
  const found = table.tables.map(
    (place) => sql`SELECT own.id FROM ${place} AS own
      WHERE own.project_id = ${project} ${inCollection(table, sql`own`)}
        AND ${table.isComplete} AND ${compileFilter(where)}`,
  );
  return sql`SELECT id FROM (${join(found, ' UNION ALL ')}) AS found LIMIT ${upTo}`;
}

function compileTest(target: Target, test: Test, row: Row): Sql {
  if (target.kind === 'json') return compileValueTest(target, test, row);
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
      return compileValueTest(target, test, row);
  }
}

/** The id's time is its first 48 bits: a condition on it is a range of the primary key. */
function compileCreatedAt(test: Test, row: Row): Sql {
  if (test.kind === 'equals') {
    const ranges = test.candidates
      .filter((ms) => typeof ms === 'number')
      .map((ms) => sql`(${row}.id >= ${lowestIdOf(ms)}::uuid AND ${row}.id < ${lowestIdOf(ms + 1)}::uuid)`);
    return ranges.length === 0 ? sql`false` : sql`(${join(ranges, ' OR ')})`;
  }
  if (test.kind !== 'compare' || typeof test.to !== 'number') return sql`false`;
  const ms = test.to;
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
  if (test.kind !== 'compare') return compileValueTest({ kind: 'column', column: 'id' }, test, row);
  if (typeof test.to === 'number') return sql`false`;
  if (isId(test.to)) return sql`${row}.id ${signs[test.comparison]} ${test.to}::uuid`;
  return sql`${row}.id::text ${signs[test.comparison]} ${test.to}`;
}
