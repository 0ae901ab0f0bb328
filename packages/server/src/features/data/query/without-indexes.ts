import type { CheckedFilter, Target } from './checked-query.ts';
import { withTargets } from './with-targets.ts';

/** The filter for a row that need not be one of the table, and so has no stored keys. Records it links to are in tables. */
export function withoutIndexes(filter: CheckedFilter): CheckedFilter {
  return withTargets(filter, unindexed);
}

function unindexed<Kind extends Target>(target: Kind): Kind {
  return target.kind === 'json' ? { ...target, indexed: undefined } : target;
}
