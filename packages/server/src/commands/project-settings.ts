import type { ProjectRecord } from '../calls/index.ts';
import {
  addOrigin,
  removeOrigin,
  setBrowserKeys,
  setLanguage,
  setLogQueries,
  setOrigins,
  setResponseFormat,
  setRooms,
  setTestReceivers,
  setTier,
  setTwoStepChoice,
  setUploads,
} from '../features/control/projects/index.ts';
import { supportedLanguages } from '../features/people/mail-texts/index.ts';
import { describeProject } from './describe-project.ts';
import { argument, type ProjectAction, type ProjectCommand, refIn } from './project-action.ts';
import { CommandError } from './usage.ts';

/** What operators decide about a project. Each action prints the project as it is then. */
export const settingActions: Readonly<Record<string, ProjectAction>> = {
  'set-tier': change((command) => {
    const tier = argument(command, 1, 'A tier');
    return setTier(command.control, refIn(command), tier, readRateLimit(command.options['rate-limit']));
  }),
  'set-origins': change((command) => setOrigins(command.control, refIn(command), command.args.slice(1))),
  'add-origin': change((command) =>
    addOrigin(command.control, refIn(command), argument(command, 1, 'An origin')),
  ),
  'remove-origin': change((command) =>
    removeOrigin(command.control, refIn(command), argument(command, 1, 'An origin')),
  ),
  'set-response-format': change((command) =>
    setResponseFormat(command.control, refIn(command), argument(command, 1, 'Envelope or bare')),
  ),
  'set-uploads': change((command) =>
    setUploads(command.control, refIn(command), argument(command, 1, 'Users or server')),
  ),
  'set-log-queries': change((command) =>
    setLogQueries(command.control, refIn(command), argument(command, 1, 'Names or full')),
  ),
  'set-browser-keys': change((command) =>
    setBrowserKeys(command.control, refIn(command), argument(command, 1, 'Answer or refuse')),
  ),
  'set-rooms': change((command) =>
    setRooms(command.control, refIn(command), Object.fromEntries(command.args.slice(1).map(readRoomRule))),
  ),
  'set-language': change((command) =>
    setLanguage(command.control, refIn(command), {
      language: command.args[1] ?? '',
      supported: supportedLanguages,
    }),
  ),
  'set-test-receivers': change((command) =>
    setTestReceivers(command.control, refIn(command), command.args.slice(1)),
  ),
  'set-2fa-opt-out': change((command) =>
    setTwoStepChoice(command.control, refIn(command), isOn(command.args[1])),
  ),
};

function change(work: (command: ProjectCommand) => Promise<ProjectRecord>): ProjectAction {
  return async (command) => describeProject(command, await work(command));
}

function readRateLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A rule as it is written in a shell: `chat-*=users`. */
export function readRoomRule(text: string): [pattern: string, who: string] {
  const [, pattern, who] = /^(.+)=(public|users)$/s.exec(text) ?? [];
  if (pattern !== undefined && who !== undefined) return [pattern, who];
  throw new CommandError(
    `"${text}" is not a rule. Write a pattern and who can join: chat-*=users, or lobby=public.`,
  );
}

export function isOn(choice: string | undefined): boolean {
  if (choice === 'on' || choice === 'off') return choice === 'on';
  throw new CommandError('The opt-out must be on or off.');
}
