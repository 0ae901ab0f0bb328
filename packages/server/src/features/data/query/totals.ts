import { formatPath } from '@plinth/protocol';
import { branchesOf } from './branches.ts';
import type { CheckedFilter } from './checked-query.ts';
import { conjunctsOf, equalitiesOf } from './equalities.ts';
import { hasIndexedText } from './for-gathering.ts';
import type { SortIndex } from './split-by-index.ts';

/**
 * How far the matches of a filter are counted by default: further where an index has them side by side. Counting every
 * match of every list would cost far more than the list.
 */
const counted = { withIndex: 1000, without: 100 };

export function countedUpTo(filter: CheckedFilter, indexes: readonly SortIndex[]): number {
  return hasIndexedText(filter) || isInIndex(filter, indexes) ? counted.withIndex : counted.without;
}

/** Is every match, and nothing else, found by fixing the first fields of an index? */
function isInIndex(filter: CheckedFilter, indexes: readonly SortIndex[]): boolean {
  return branchesOf(filter).every((branch) => {
    const equalities = equalitiesOf(branch);
    const settled = new Set([...equalities.values()].map(({ from }) => from));
    const isWhole = settled.size > 0 && conjunctsOf(branch).every((part) => settled.has(part));
    return isWhole && indexes.some(({ fields }) => beginsWith(fields, new Set(equalities.keys())));
  });
}

function beginsWith(fields: SortIndex['fields'], names: ReadonlySet<string>): boolean {
  const first = fields.slice(0, names.size);
  return first.length === names.size && first.every(({ path }) => names.has(formatPath(path)));
}
