import { formatPath, type Path } from '@plinth/protocol';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { branchesOf } from './branches.ts';
import type { CheckedFilter, CheckedSort, Target } from './checked-query.ts';
import { compileFilter } from './compile-filter.ts';
import { conjunctsOf, type Equality, type EqualKey, equalitiesOf } from './equalities.ts';
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
    parts.push(...split);
  }
  return parts.length > mostParts ? undefined : parts;
}

function splitBranch(
  branch: CheckedFilter,
  sort: readonly CheckedSort[],
  indexes: readonly SortIndex[],
): Sql[] | undefined {
  const equalities = equalitiesOf(branch);
  if (equalities.size === 0) return undefined;
  const [fixed = []] = indexes
    .map(({ fields }) => fixedFields(fields, sort, equalities))
    .toSorted((a, b) => b.length - a.length);
  const count = fixed.reduce((before, { keys }) => before * keys.length, 1);
  // Asked before they are made: lists of values in several fields may mean millions.
  if (fixed.length === 0 || count > mostParts) return undefined;
  const rest = conjunctsOf(branch).filter((part) => !fixed.some(({ from }) => from === part));
  return choicesOf(fixed).map((choice) => {
    const unsettled = choice.filter(({ key }) => !key.isEnough).map(({ from }) => from);
    const keys = choice.map(({ target, key }) => sql`${keyOf(target)} = ${key.json}::jsonb`);
    return join([compileFilter({ kind: 'and', of: [...rest, ...unsettled] }), ...keys], ' AND ');
  });
}

type Chosen = Equality & { readonly key: EqualKey };

/** All ways to take one key of each. */
function choicesOf(equalities: readonly Equality[]): Chosen[][] {
  return equalities.reduce<Chosen[][]>(
    (before, equality) =>
      before.flatMap((chosen) => equality.keys.map((key) => [...chosen, { ...equality, key }])),
    [[]],
  );
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
  const names = rest.map(({ path }) => formatPath(path));
  const isWanted =
    rest.length === wanted.length &&
    wanted.every(({ target }, at) => nameOf(target) === names[at]) &&
    new Set(rest.map(({ isDescending }, at) => isDescending === wanted[at]?.descending)).size <= 1;
  return isWanted ? fixed.flatMap(({ path }) => equalities.get(formatPath(path)) ?? []) : [];
}

/** Every index ends with the id, which begins with the time of creation. */
function endsAnyway(path: Path): boolean {
  return path.length === 1 && (path[0] === 'id' || path[0] === 'createdAt');
}

function nameOf(target: Target): string {
  return target.kind === 'json' ? formatPath(target.path) : target.column;
}
