import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path, touchedByOperators } from '@plinth/protocol';
import type { Principal } from '../../../calls/index.ts';
import type { Collection } from '../collections/index.ts';
import {
  arrayAround,
  type Fields,
  hasPath,
  hasPathAnywhere,
  isBlocked,
  valueAtPath,
  withPath,
} from '../records/index.ts';
import { fieldProtected } from './errors.ts';
import { hiddenPaths, isHidden, removeHidden } from './hidden-fields.ts';

/** Refuses a body that names what only the API key may write: hidden fields, in fields and in operators. */
export function refuseProtected(principal: Principal, { settings }: Collection, body: Fields): void {
  for (const path of hiddenPaths(principal, settings)) {
    if (hasPathAnywhere(body, path)) throw fieldProtected(formatPath(path));
    for (const { path: touched } of touchedByOperators(body)) {
      if (isHidden([path], touched) || isHidden([touched], path)) throw fieldProtected(formatPath(path));
    }
  }
}

/** The creator owns what it creates. A trusted call may say otherwise; someone not signed in can make nobody an owner. */
export function withOwner(principal: Principal, { settings }: Collection, fields: Fields): Fields {
  const { ownerField } = settings;
  if (ownerField === null) return fields;
  if (!principal.user) {
    if (!principal.isTrusted && Object.hasOwn(fields, ownerField)) throw fieldProtected(ownerField);
    return fields;
  }
  if (principal.isTrusted && Object.hasOwn(fields, ownerField)) return fields;
  return { ...fields, [ownerField]: principal.user.id };
}

/**
 * What a change by an app user cannot touch stays as it was: hidden fields it could not see, and the owner. An owner
 * that the body itself names differently is refused rather than ignored.
 */
export function keepProtected(
  principal: Principal,
  { settings }: Collection,
  change: { before: Fields; after: Fields; isReplacement: boolean },
): Fields {
  if (principal.isTrusted) return change.after;
  let after = change.after;
  const { ownerField } = settings;
  if (ownerField !== null && !isDeepStrictEqual(change.before[ownerField], after[ownerField])) {
    const isLeftOut = change.isReplacement && !Object.hasOwn(after, ownerField);
    if (!isLeftOut) throw fieldProtected(ownerField);
    after = { ...after, [ownerField]: change.before[ownerField] };
  }
  const hidden = hiddenPaths(principal, settings);
  if (hidden.length === 0) return after;
  const seen = structuredClone(change.before);
  removeHidden(seen, hidden);
  after = { ...after, ...leftAsSeen(change.before, after, seen) };
  for (const path of hidden) {
    after = withArrayAsSeen(change, after, { path, seen });
    // Refused also where nothing is hidden yet: whether something is must not be told by what is refused.
    if (isBlocked(after, path) && !isBlocked(change.before, path)) throw fieldProtected(formatPath(path));
    if (hasPath(change.before, path) && !hasPath(after, path))
      after = withPath(after, path, valueAtPath(change.before, path));
  }
  return after;
}

/**
 * Which element of an array is which after a change, nobody can tell. So an array whose objects may hold something hidden
 * is left as it was, or refused, whether one of them does or not.
 */
function withArrayAsSeen(
  { before, isReplacement }: { before: Fields; isReplacement: boolean },
  after: Fields,
  { path, seen }: { path: Path; seen: Fields },
): Fields {
  const around = arrayAround(before, path);
  if (!around) return after;
  const wanted = valueAtPath(after, around);
  const stored = valueAtPath(before, around);
  if (isDeepStrictEqual(wanted, stored)) return after;
  const isLeftOut = isReplacement && wanted === undefined;
  if (!isLeftOut && !isDeepStrictEqual(wanted, valueAtPath(seen, around)))
    throw fieldProtected(formatPath(path));
  return withPath(after, around, stored);
}

/** The stored values of fields that come back exactly as the caller saw them, hidden parts taken out. */
function leftAsSeen(before: Fields, after: Fields, seen: Fields): Fields {
  const kept = Object.entries(after).filter(
    ([name, value]) => Object.hasOwn(seen, name) && isDeepStrictEqual(value, seen[name]),
  );
  return Object.fromEntries(kept.map(([name]) => [name, before[name]]));
}
