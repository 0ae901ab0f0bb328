import { formatPath } from '@plinth/protocol';
import type { CheckedFilter, JsonTarget } from './checked-query.ts';
import { cutKey, type Scalar } from './scalars.ts';

/** The keys that every match has one of, as JSON. */
export interface Equality {
  readonly target: JsonTarget;
  readonly keys: readonly string[];
}

/** What sort indexes know of every match, by path. */
export function equalitiesOf(filter: CheckedFilter): ReadonlyMap<string, Equality> {
  const found = new Map<string, Equality>();
  collect(filter, (target, keys) => {
    if (target.indexed?.hasSortIndex) found.set(formatPath(target.path), { target, keys });
  });
  return found;
}

function collect(filter: CheckedFilter, add: (target: JsonTarget, keys: readonly string[]) => void): void {
  if (filter.kind === 'and') for (const part of filter.of) collect(part, add);
  if (filter.kind === 'linked' && filter.few) add(filter.target, keysOf(filter.few));
  if (filter.kind !== 'test') return;
  if (filter.within) add(filter.within, [containerKey]);
  if (filter.test.kind === 'equals' && filter.target.kind === 'json')
    add(filter.target, keysOf(filter.test.candidates));
}

/** Of all arrays and objects. */
const containerKey = '{}';

/** Every key that a match may have, once: long strings that begin alike share theirs. */
function keysOf(candidates: readonly Scalar[]): string[] {
  return [
    ...new Set([...candidates.map((candidate) => JSON.stringify(cutKey(candidate).key)), containerKey]),
  ];
}
