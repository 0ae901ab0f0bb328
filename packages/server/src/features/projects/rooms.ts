import type { Project } from './project.ts';
import { ProjectError } from './project-error.ts';

type RoomRules = NonNullable<Project['settings']['rooms']>;

const longestPattern = 200;

/** Reads rules as an operator writes them: `chat-*=users`. */
export function readRoomRules(texts: readonly string[]): RoomRules {
  return Object.fromEntries(texts.map(readRule));
}

function readRule(text: string): [pattern: string, who: 'public' | 'users'] {
  const at = text.lastIndexOf('=');
  const [pattern, who] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || (who !== 'public' && who !== 'users'))
    throw new ProjectError(
      `"${text}" is no rule. Write a pattern and who may join: chat-*=users, or lobby=public.`,
    );
  if (pattern.length > longestPattern)
    throw new ProjectError(`A pattern has at most ${longestPattern} characters.`);
  const odd = pattern.match(/\{[^}]*\}?/g)?.find((part) => part !== '{user.id}' && part !== '{user.role}');
  if (odd !== undefined)
    throw new ProjectError(`"${odd}" stands for nothing. There are {user.id} and {user.role}.`);
  return [pattern, who];
}
