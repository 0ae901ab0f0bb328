import type { CheckedFilter, LinkedFilter } from './checked-query.ts';

/** Up to so many linked records are looked up first, and then what links to them by the index of the link. */
const mostFirst = 2000;

/** Does the filter go through a link that has an index? */
export function hasIndexedLink(filter: CheckedFilter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.some(hasIndexedLink);
  return filter.kind === 'linked' && (filter.target.indexed?.hasSortIndex ?? false);
}

/**
 * Looks up which records are meant by links that have an index, and asks for their ids instead, which is the same as
 * long as what reads the list sees what `find` saw.
 */
export async function findFewLinks(
  filter: CheckedFilter,
  find: (filter: LinkedFilter, upTo: number) => Promise<string[]>,
): Promise<CheckedFilter> {
  if (!hasIndexedLink(filter)) return filter;
  if (filter.kind === 'and' || filter.kind === 'or') {
    const of: CheckedFilter[] = [];
    for (const part of filter.of) of.push(await findFewLinks(part, find));
    return { kind: filter.kind, of };
  }
  if (filter.kind !== 'linked') return filter;
  const few = await find(filter, mostFirst + 1);
  if (few.length > mostFirst) return filter;
  return { kind: 'test', target: filter.target, test: { kind: 'equals', candidates: few } };
}
