import { formatPath, type Path } from '@plinth/protocol';
import { join, type Sql, sql } from '../../platform/db/sql.ts';
import { branchesOf } from './branches.ts';
import type { CheckedFilter, CheckedSort, Target } from './checked-query.ts';
import { compileFilter } from './compile-filter.ts';
import { type Equality, equalitiesOf } from './equalities.ts';
import { keyOf } from './value-of.ts';

/** An index of sort keys that is in effect. */
export interface SortIndex {
  readonly fields: readonly { readonly path: Path; readonly isDescending: boolean }[];
}

const mostParts = 16;

/**
 * Conditions of parts of a list, each of which an index has in the wanted order: an equality may mean several keys (the
 * text, the number it reads as, an array that has it), and only rows of one key are in order.
 */
export function splitByIndex(
  filter: CheckedFilter,
  sort: readonly CheckedSort[],
  indexes: readonly SortIndex[],
): readonly Sql[] | undefined {
  const parts: Sql[] = [];
  for (const branch of branchesOf(filter)) {
    const split = splitBranch(branch, sort, indexes);
    if (!split) return undefined;
    parts.push(...split.map((part) => sql`${compileFilter(branch)} AND ${part}`));
  }
  return parts.length > mostParts ? undefined : parts;
}

function splitBranch(
  branch: CheckedFilter,
  sort: readonly CheckedSort[],
  indexes: readonly SortIndex[],
): readonly Sql[] | undefined {
  const equalities = equalitiesOf(branch);
  if (equalities.size === 0) return undefined;
  const [longest = []] = indexes
    .map(({ fields }) => fixedFields(fields, sort, equalities))
    .toSorted((a, b) => b.length - a.length);
  const count = longest.reduce((before, { keys }) => before * keys.length, 1);
  // Asked before they are made: lists of values in several fields may mean millions.
  if (longest.length === 0 || count > mostParts) return undefined;
  const parts = longest.reduce<Sql[][]>(
    (before, { target, keys }) =>
      before.flatMap((conditions) =>
        keys.map((key) => [...conditions, sql`${keyOf(target)} = ${key}::jsonb`]),
      ),
    [[]],
  );
  return parts.map((conditions) => join(conditions, ' AND '));
}

/** The first fields of an index, if they are fixed and the rest of it is the wanted order; else none. */
function fixedFields(
  fields: SortIndex['fields'],
  sort: readonly CheckedSort[],
  equalities: ReadonlyMap<string, Equality>,
): Equality[] {
  const own = fields.filter(({ path }) => !endsAnyway(path));
  const free = own.findIndex(({ path }) => !equalities.has(formatPath(path)));
  const fixed = free === -1 ? own : own.slice(0, free);
  // Where fields are sorted by and fixed at once, the order can begin with any of them.
  const wanted = sort.slice(0, -1);
  const rest = own.slice(fixed.length);
  const isWanted =
    rest.length === wanted.length &&
    rest.every(({ path }, at) => nameOf(wanted[at]!.target) === formatPath(path)) &&
    new Set(rest.map(({ isDescending }, at) => isDescending === wanted[at]!.descending)).size <= 1;
  return isWanted ? fixed.map(({ path }) => equalities.get(formatPath(path))!) : [];
}

/** Every index ends with the id, which begins with the time of creation. */
function endsAnyway(path: Path): boolean {
  return path.length === 1 && (path[0] === 'id' || path[0] === 'createdAt');
}

function nameOf(target: Target): string {
  return target.kind === 'json' ? formatPath(target.path) : target.column;
}
