import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path, parsePath, QueryError } from '@plinth/protocol';
import type { Collection } from '../collections/index.ts';
import type { Principal } from '../projects/index.ts';
import { fieldProtected } from './errors.ts';
import { hiddenPaths, isHidden, removeHidden } from './hidden-fields.ts';

type Fields = Record<string, unknown>;

/** Refuses a body that names what only the API key may write: hidden fields, in fields and in operators. */
export function refuseProtected(principal: Principal, { settings }: Collection, body: Fields): void {
  for (const path of hiddenPaths(principal, settings)) {
    if (has(body, path)) throw fieldProtected(formatPath(path));
    for (const [name, operands] of Object.entries(body)) {
      if (!name.startsWith('$') || typeof operands !== 'object' || operands === null) continue;
      for (const touched of Object.keys(operands).map(pathOf)) {
        if (touched && (isHidden([path], touched) || isHidden([touched], path)))
          throw fieldProtected(formatPath(path));
      }
    }
  }
}

/** The operator itself refuses what is no path. */
function pathOf(field: string): Path | undefined {
  try {
    return parsePath(field, field);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
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
  if (hidden.length > 0) after = { ...after, ...leftAsSeen(change.before, after, hidden) };
  for (const path of hidden) {
    // Refused also where nothing is hidden yet: whether something is must not be told by what is refused.
    if (isBlocked(after, path) && !isBlocked(change.before, path)) throw fieldProtected(formatPath(path));
    if (has(change.before, path) && !has(after, path)) after = restored(change.before, after, path);
  }
  return after;
}

/** Does something stand where the objects around the path would be? */
function isBlocked(fields: Fields, path: Path): boolean {
  let at: unknown = fields;
  for (const key of path.slice(0, -1)) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return false;
    at = at[key];
    if (!isObject(at)) return true;
  }
  return false;
}

/** The stored values of fields that come back exactly as the caller saw them, hidden parts taken out. */
function leftAsSeen(before: Fields, after: Fields, hidden: readonly Path[]): Fields {
  const seen = structuredClone(before);
  removeHidden(seen, hidden);
  const kept = Object.entries(after).filter(
    ([name, value]) => Object.hasOwn(seen, name) && isDeepStrictEqual(value, seen[name]),
  );
  return Object.fromEntries(kept.map(([name]) => [name, before[name]]));
}

function has(value: unknown, path: Path): boolean {
  let at = value;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return false;
    at = at[key];
  }
  return true;
}

function restored(before: Fields, after: Fields, [key = '', ...rest]: Path): Fields {
  if (rest.length === 0) return { ...after, [key]: before[key] };
  const inner = Object.hasOwn(after, key) ? (after[key] as Fields) : {};
  return { ...after, [key]: restored(before[key] as Fields, inner, rest) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
