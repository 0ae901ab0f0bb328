import type { CheckedFilter, Target } from './checked-query.ts';

/** The filter for a row that need not be one of the table, and so has no stored keys. Records it links to are in tables. */
export function withoutIndexes(filter: CheckedFilter): CheckedFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map(withoutIndexes) };
    case 'not':
      return { kind: 'not', of: withoutIndexes(filter.of) };
    case 'test':
      return {
        ...filter,
        target: unindexed(filter.target),
        ...(filter.within && { within: unindexed(filter.within) }),
      };
    case 'linked':
      return { ...filter, target: unindexed(filter.target) };
  }
}

function unindexed<Kind extends Target>(target: Kind): Kind {
  return target.kind === 'json' ? { ...target, indexed: undefined } : target;
}
