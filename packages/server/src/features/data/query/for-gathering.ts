import type { CheckedFilter, Target } from './checked-query.ts';
import { withTargets } from './with-targets.ts';

/**
 * The filter for reading matches in no order. Without an order to walk along it matters little how frequent a value is;
 * comparing keys where no index has them takes several times as long as comparing values.
 */
export function forGathering(filter: CheckedFilter): CheckedFilter {
  return withTargets(filter, withoutStatistics, forGathering);
}

function withoutStatistics<Kind extends Target>(target: Kind): Kind {
  if (target.kind !== 'json' || !target.indexed) return target;
  return { ...target, indexed: { ...target.indexed, hasKey: target.indexed.hasSortIndex } };
}

/** Does the filter ask for parts of a text that an index has? Nobody can know beforehand how many texts have them. */
export function hasIndexedText(filter: CheckedFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(hasIndexedText);
    case 'not':
      return hasIndexedText(filter.of);
    case 'test':
      return 'folded' in filter.test && filter.target.kind === 'json' && !!filter.target.indexed?.hasText;
    case 'linked':
      return false;
  }
}
