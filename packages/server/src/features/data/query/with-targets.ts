import type { CheckedFilter, Target } from './checked-query.ts';

interface TargetChange {
  <Kind extends Target>(target: Kind): Kind;
}

/** The filter with its targets changed; what is asked of linked records stays, unless it is said how it changes. */
export function withTargets(
  filter: CheckedFilter,
  change: TargetChange,
  ofLinked: (where: CheckedFilter) => CheckedFilter = (where) => where,
): CheckedFilter {
  const again = (part: CheckedFilter) => withTargets(part, change, ofLinked);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map(again) };
    case 'not':
      return { kind: 'not', of: again(filter.of) };
    case 'test':
      return {
        ...filter,
        target: change(filter.target),
        ...(filter.within && { within: change(filter.within) }),
      };
    case 'linked':
      return { ...filter, target: change(filter.target), where: ofLinked(filter.where) };
  }
}
