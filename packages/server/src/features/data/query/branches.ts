import { formatPath } from '@plinth/protocol';
import type { CheckedFilter } from './checked-query.ts';
import { conjunctsOf, equalitiesOf } from './equalities.ts';

const mostBranches = 4;

/**
 * Filters of which every match passes exactly one. A choice between things that indexes find is split, so that each is
 * found by its own index and is not asked again what the index has answered.
 */
export function branchesOf(filter: CheckedFilter): readonly CheckedFilter[] {
  const parts = conjunctsOf(filter);
  const choice = parts.find(isSplit);
  if (!choice) return [filter];
  const rest = parts.filter((part) => part !== choice);
  return choice.of.map((branch, at): CheckedFilter => {
    const earlier = choice.of.slice(0, at).filter((other) => !isExcluded(other, branch));
    return {
      kind: 'and',
      of: [...rest, branch, ...earlier.map((of): CheckedFilter => ({ kind: 'not', of }))],
    };
  });
}

function isSplit(filter: CheckedFilter): filter is CheckedFilter & { kind: 'or' } {
  return (
    filter.kind === 'or' &&
    filter.of.length > 1 &&
    filter.of.length <= mostBranches &&
    filter.of.every((branch) => equalitiesOf(branch).size > 0)
  );
}

/** A test inside an object excludes a document that has nothing in its place. */
function isExcluded(other: CheckedFilter, branch: CheckedFilter): boolean {
  if (other.kind !== 'test' || !other.within) return false;
  const place = formatPath(other.within.path);
  return conjunctsOf(branch).some(
    (part) =>
      part.kind === 'test' &&
      part.test.kind === 'absent' &&
      part.target.kind === 'json' &&
      formatPath(part.target.path) === place,
  );
}
