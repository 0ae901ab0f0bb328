import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { requireFound } from './find-project.ts';
import { saveSettings } from './store.ts';

type RoomRules = NonNullable<ProjectRecord['settings']['rooms']>;

const longestPattern = 200;
const mostPatterns = 200;

/** Says who may join which rooms, by patterns of their names. Replaces all earlier rules. */
export async function setRooms(
  control: ControlDb,
  ref: string,
  rules: Readonly<Record<string, string>>,
): Promise<ProjectRecord> {
  return requireFound(ref, await saveSettings(control, ref, { rooms: checkRoomRules(rules) }));
}

export function checkRoomRules(rules: Readonly<Record<string, string>>): RoomRules {
  if (Object.keys(rules).length > mostPatterns)
    throw invalidSetting('rooms', `A project can have at most ${mostPatterns} room patterns.`);
  return Object.fromEntries(
    Object.entries(rules).map(([pattern, who]) => [checkPattern(pattern), checkWho(pattern, who)]),
  );
}

function checkPattern(pattern: string): string {
  if (pattern === '') throw invalidSetting('rooms', 'A pattern must have at least one character.');
  if (pattern.length > longestPattern)
    throw invalidSetting('rooms', `A pattern can have at most ${longestPattern} characters.`);
  const odd = pattern.match(/\{[^}]*\}?/g)?.find((part) => part !== '{user.id}' && part !== '{user.role}');
  if (odd !== undefined)
    throw invalidSetting('rooms', `"${odd}" is not a placeholder. Use {user.id} or {user.role}.`);
  return pattern;
}

function checkWho(pattern: string, who: string): 'public' | 'users' {
  if (who === 'public' || who === 'users') return who;
  throw invalidSetting('rooms', `Rooms "${pattern}" can be open to public or users, not to "${who}".`);
}
