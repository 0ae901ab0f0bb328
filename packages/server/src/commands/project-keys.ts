import {
  type ApiKeyRecord,
  changeKey,
  createKey,
  deleteKey,
  listKeys,
} from '../features/control/api-keys/index.ts';
import { argument, type ProjectAction, type ProjectCommand, refIn } from './project-action.ts';
import { CommandError } from './usage.ts';

/** Further API keys of a project, each with scopes of its own. */
export const keyActions: Readonly<Record<string, ProjectAction>> = {
  keys: async (command) => {
    const keys = await listKeys(command.control, refIn(command));
    if (command.options.json) return keys.map((key) => JSON.stringify(key)).join('\n');
    if (keys.length === 0)
      return 'The project has no additional keys. Create one: plinth project add-key <ref> <name> --scope <scope>';
    return keys.map(describeKey).join('\n\n');
  },
  'add-key': async (command) => {
    const { control, options } = command;
    const { record, apiKey } = await createKey(control, {
      ref: refIn(command),
      name: argument(command, 1, 'A name'),
      scopes: options.scope ?? [],
      expiresAt: readExpiry(options.expires),
      addresses: options.address ?? [],
    });
    if (options.json) return JSON.stringify({ ...record, apiKey });
    return `${describeKey(record)}\n${line('apiKey', apiKey)}\n\nThe key is only shown once. Keep it on servers, never in a browser.`;
  },
  'change-key': async (command) => {
    const { control, options } = command;
    const key = { ref: refIn(command), id: argument(command, 1, 'The id of a key') };
    const changed = await changeKey(control, key, {
      ...(options.name !== undefined && { name: options.name }),
      ...(options.scope && { scopes: options.scope }),
      ...(options.expires !== undefined && { expiresAt: readExpiry(options.expires) }),
      ...(options.address && { addresses: options.address.filter((address) => address !== 'all') }),
    });
    return options.json ? JSON.stringify(changed) : describeKey(changed);
  },
  'remove-key': async (command: ProjectCommand) => {
    const id = argument(command, 1, 'The id of a key');
    await deleteKey(command.control, { ref: refIn(command), id });
    return `Key ${id} was removed: requests with it are rejected from now on.`;
  },
};

const dayMs = 86_400_000;
/** Longer than a key is meant to live, and far from the last day that a date can be. */
const mostDays = 3650;

/** `90d` from now, a date, or `never`. */
function readExpiry(text: string | undefined): Date | null {
  if (text === undefined || text === 'never') return null;
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) <= mostDays) return new Date(Date.now() + Number(days) * dayMs);
  const isDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const date = new Date(text);
  if (isDate && !Number.isNaN(date.getTime())) return date;
  throw new CommandError(
    `--expires must be a number of days, such as 90d (at most ${mostDays}d), a date, such as 2030-01-31, or never.`,
  );
}

function describeKey(key: ApiKeyRecord): string {
  return [
    line('id', key.id),
    line('name', key.name),
    line('key', `plk_…${key.hint}`),
    line('scopes', key.scopes.join(' ')),
    line('expires', key.expiresAt?.toISOString() ?? 'never'),
    line('addresses', key.addresses.length === 0 ? 'all' : key.addresses.join(' ')),
    line('createdAt', key.createdAt.toISOString()),
    line('usedAt', key.usedAt?.toISOString() ?? 'never'),
    ...(key.inBrowserAt
      ? [
          line(
            'warning',
            `A browser sent it at ${key.inBrowserAt.toISOString()}: remove it and create another.`,
          ),
        ]
      : []),
  ].join('\n');
}

function line(name: string, value: string): string {
  return `${name.padEnd(15)} ${value}`;
}
