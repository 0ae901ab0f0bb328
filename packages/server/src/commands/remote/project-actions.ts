import { callService } from '../call-service.ts';
import { argument, refIn } from '../project-action.ts';
import { readSettings } from '../project-secrets.ts';
import { isOn, readRoomRule } from '../project-settings.ts';
import { CommandError, UsageError } from '../usage.ts';
import { configAction, envAction } from './project-values.ts';
import { type Fields, type Json, pathIn, type RemoteAction, type RemoteCommand } from './remote-command.ts';

/** What an account can do with its projects over HTTP, under the names of `plinth project`. */
export const remoteActions: Readonly<Record<string, RemoteAction>> = {
  create: async (command) => {
    if (command.options.tier !== undefined)
      throw new UsageError('Only the operator of the deployment can set the tier: remove --tier.');
    const { data } = await callService<Fields>(command.at, '/projects', {
      method: 'POST',
      body: { name: argument(command, 0, 'A name') },
    });
    const note = '\n\nThe API key is only shown once. Keep it on servers, never in a browser.';
    return `${show(command, flat(data))}${command.options.json ? '' : note}`;
  },
  list: listAll,
  show: async (command) => show(command, await readProject(command)),
  keys: async (command) => {
    const { data } = await callService<Fields[]>(command.at, `${pathIn(command)}/keys`);
    return data.length === 0
      ? 'The project has no additional keys.'
      : data.map((key) => show(command, key)).join(command.options.json ? '\n' : '\n\n');
  },
  'set-origins': (command) => setOrigins(command, command.args.slice(1)),
  'add-origin': async (command) => {
    const origin = argument(command, 1, 'An origin');
    return setOrigins(command, [...new Set([...(await originsOf(command)), origin])]);
  },
  'remove-origin': async (command) => {
    const origin = argument(command, 1, 'An origin');
    const origins = await originsOf(command);
    if (!origins.includes(origin)) throw new CommandError(`${origin} is not one of the allowed origins.`);
    return setOrigins(
      command,
      origins.filter((one) => one !== origin),
    );
  },
  'set-response-format': setting('responseFormat', (command) => argument(command, 1, 'Envelope or bare')),
  'set-uploads': setting('uploads', (command) => argument(command, 1, 'Users or server')),
  'set-log-queries': setting('logQueries', (command) => argument(command, 1, 'Names or full')),
  'set-browser-keys': setting('refuseBrowserKeys', (command) => {
    const choice = argument(command, 1, 'Answer or refuse');
    if (choice === 'answer' || choice === 'refuse') return choice === 'refuse';
    throw new CommandError('API keys from browsers must be answer or refuse.');
  }),
  'set-rooms': setting('rooms', ({ args }) => Object.fromEntries(args.slice(1).map(readRoomRule))),
  'set-language': setting('language', (command) => argument(command, 1, 'A language')),
  'set-test-receivers': setting('testReceivers', ({ args }) => args.slice(1)),
  'set-2fa-opt-out': setting('allow2faOptOut', ({ args }) => isOn(args[1])),
  'set-mail': (command) => setService(command, 'mail'),
  'unset-mail': (command) => unsetService(command, 'mail'),
  'set-sms': (command) => setService(command, 'sms'),
  'unset-sms': (command) => unsetService(command, 'sms'),
  'set-provider': (command) => setService(command, `provider:${argument(command, 1, 'A provider')}`),
  'unset-provider': (command) => unsetService(command, `provider:${argument(command, 1, 'A provider')}`),
  config: configAction,
  env: envAction,
};

async function readProject(command: RemoteCommand): Promise<Fields> {
  return flat((await callService<Fields>(command.at, pathIn(command))).data);
}

/** With its settings beside the rest, as `plinth project` has always shown them. */
function flat({ settings, apiKey, ...rest }: Fields): Fields {
  return { ...rest, ...(typeof settings === 'object' && settings), ...(apiKey !== undefined && { apiKey }) };
}

interface Listed {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

async function listAll(command: RemoteCommand): Promise<string> {
  const lines: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = cursor === '' ? '/projects?limit=100' : `/projects?limit=100&cursor=${cursor}`;
    const { data, nextCursor } = await callService<Listed[]>(command.at, path);
    for (const project of data) {
      const { ref, role, name } = project;
      lines.push(command.options.json ? JSON.stringify(project) : `${ref}  ${role.padEnd(10)}  ${name}`);
    }
    cursor = nextCursor;
  }
  if (lines.length > 0 || command.options.json) return lines.join('\n');
  return 'You have no projects yet. Create one: plinth project create <name>';
}

function setting(name: string, read: (command: RemoteCommand) => Json): RemoteAction {
  return async (command) => {
    const path = `${pathIn(command)}/settings`;
    await callService(command.at, path, { method: 'PATCH', body: { [name]: read(command) } });
    return show(command, await readProject(command));
  };
}

async function originsOf(command: RemoteCommand): Promise<string[]> {
  const { allowedOrigins } = await readProject(command);
  return Array.isArray(allowedOrigins) ? allowedOrigins.map(String) : [];
}

async function setOrigins(command: RemoteCommand, origins: readonly string[]): Promise<string> {
  await callService(command.at, `${pathIn(command)}/origins`, { method: 'PUT', body: { origins } });
  return show(command, await readProject(command));
}

const servicePath = (command: RemoteCommand, name: string) =>
  `${pathIn(command)}/services/${encodeURIComponent(name)}`;

async function setService(command: RemoteCommand, name: string): Promise<string> {
  const path = servicePath(command, name);
  const body = readSettings(await command.readInput());
  await callService(command.at, path, { method: 'PUT', body });
  return `${name} of project ${refIn(command)} is set and stored encrypted.`;
}

async function unsetService(command: RemoteCommand, name: string): Promise<string> {
  await callService(command.at, servicePath(command, name), { method: 'DELETE' });
  return `${name} of project ${refIn(command)} was removed.`;
}

/** A record for the terminal, or as a line of JSON. */
function show({ options }: RemoteCommand, record: Fields): string {
  if (options.json) return JSON.stringify(record);
  const text = (value: Json) => {
    if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
    return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  };
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(17)} ${text(value)}`)
    .join('\n');
}
