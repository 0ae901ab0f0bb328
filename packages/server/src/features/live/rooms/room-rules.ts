import { isInScope, type Principal, type Project } from '../../../calls/index.ts';

/** What a key with scopes needs to be in a room. */
export const roomScope = { area: 'realtime', action: 'join' } as const;

/** Does a rule of the project let the caller into the room? API keys open all of them. */
export function mayJoin({ settings }: Project, principal: Principal, room: string): boolean {
  if (principal.isTrusted) return isInScope(principal, roomScope);
  return Object.entries(settings.rooms ?? {}).some(
    ([pattern, who]) => (who === 'public' || principal.user !== undefined) && fits(pattern, room, principal),
  );
}

/** `*` stands for any text; `{user.id}` and `{user.role}` for those of the caller. */
function fits(pattern: string, room: string, { user }: Principal): boolean {
  if (!user && /\{user\.(id|role)\}/.test(pattern)) return false;
  const parts = pattern
    .split('*')
    .map((part) => part.replace(/\{user\.(id|role)\}/g, (_, name: 'id' | 'role') => user?.[name] ?? ''));
  return fitsParts(parts, room);
}

/** The parts in order, the first at the start and the last at the end. Takes time in proportion to the room's name. */
function fitsParts(parts: readonly string[], room: string): boolean {
  const [first = '', ...others] = parts;
  if (!room.startsWith(first)) return false;
  if (others.length === 0) return room === first;
  const last = others.at(-1) ?? '';
  let at = first.length;
  for (const part of others.slice(0, -1)) {
    const found = room.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return room.length - at >= last.length && room.endsWith(last);
}
