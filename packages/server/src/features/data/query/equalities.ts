import { formatPath } from '@plinth/protocol';
import type { CheckedFilter, JsonTarget } from './checked-query.ts';
import { cutKey, type Scalar } from './scalars.ts';

/** The keys that every match has one of. */
export interface Equality {
  readonly target: JsonTarget;
  readonly keys: readonly EqualKey[];
  /** The part of the filter that says so. */
  readonly from: CheckedFilter;
}

export interface EqualKey {
  readonly json: string;
  /** Whatever has this key passes `from`; if false, `from` must still be asked. */
  readonly isEnough: boolean;
}

/** What sort indexes know of every match, by path. */
export function equalitiesOf(filter: CheckedFilter): ReadonlyMap<string, Equality> {
  const found = new Map<string, Equality>();
  for (const from of conjunctsOf(filter)) {
    for (const { target, keys } of keysIn(from)) {
      if (target.indexed?.hasSortIndex) found.set(formatPath(target.path), { target, keys, from });
    }
  }
  return found;
}

/** The parts of a filter that must all hold. */
export function conjunctsOf(filter: CheckedFilter): CheckedFilter[] {
  return filter.kind === 'and' ? filter.of.flatMap(conjunctsOf) : [filter];
}

function keysIn(filter: CheckedFilter): Omit<Equality, 'from'>[] {
  if (filter.kind !== 'test') return [];
  const { target, test, within } = filter;
  if (within) return [{ target: within, keys: [ofContainers] }];
  return test.kind === 'equals' && target.kind === 'json' ? [{ target, keys: keysOf(test.candidates) }] : [];
}

/** All arrays and objects share it. */
const ofContainers: EqualKey = { json: '{}', isEnough: false };

/** Every key that a match may have, once: long strings that begin alike share theirs. */
function keysOf(candidates: readonly Scalar[]): EqualKey[] {
  const keys = new Map<string, EqualKey>();
  for (const candidate of candidates) {
    const { key, isCut } = cutKey(candidate);
    const json = JSON.stringify(key);
    keys.set(json, { json, isEnough: !isCut && (keys.get(json)?.isEnough ?? true) });
  }
  return [...keys.values(), ofContainers];
}
