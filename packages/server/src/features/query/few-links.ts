import type { Sql } from '../../platform/db/sql.ts';
import type { CheckedFilter, LinkedFilter } from './checked-query.ts';
import { countLinked } from './compile-filter.ts';

/** Up to so many linked records are looked up first, and then what links to them by the index of the link. */
const mostFirst = 2000;

/**
 * Finds out which links of a filter lead to few records. That changes how the list is read, not what it means: what is
 * counted here may be different a moment later.
 */
export async function markFewLinks(
  filter: CheckedFilter,
  count: (statement: Sql) => Promise<number>,
): Promise<CheckedFilter> {
  if (filter.kind === 'and' || filter.kind === 'or') {
    return { kind: filter.kind, of: await Promise.all(filter.of.map((part) => markFewLinks(part, count))) };
  }
  if (filter.kind !== 'linked' || !filter.target.indexed?.hasKey) return filter;
  const found = await count(countLinked(filter, mostFirst + 1));
  const marked: LinkedFilter = { ...filter, isFew: found <= mostFirst };
  return marked;
}
