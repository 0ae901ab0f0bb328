import { setProjectSecret, unsetProjectSecret } from '../features/control/projects/index.ts';
import { checkProviderSettings, isProviderName } from '../features/people/identities/index.ts';
import { checkMailSettings, checkSmsSettings } from '../features/people/messages/index.ts';
import { parseJsonText } from '../platform/json.ts';
import { type ProjectAction, type ProjectCommand, refIn } from './project-action.ts';
import { CommandError, UsageError } from './usage.ts';

/** How a project uses other services: mail server, text message gateway, identity providers. */
export const secretActions: Readonly<Record<string, ProjectAction>> = {
  'set-mail': (command) => set(command, 'mail', checkMailSettings),
  'unset-mail': (command) => unset(command, 'mail'),
  'set-sms': (command) => set(command, 'sms', checkSmsSettings),
  'unset-sms': (command) => unset(command, 'sms'),
  'set-provider': async (command) => {
    const provider = providerIn(command);
    return set(command, `provider:${provider}`, (value) => checkProviderSettings(provider, value));
  },
  'unset-provider': async (command) => unset(command, `provider:${providerIn(command)}`),
};

async function set(
  command: ProjectCommand,
  name: string,
  check: (value: unknown) => unknown,
): Promise<string> {
  const ref = refIn(command);
  const value = check(readSettings(await command.readInput()));
  await setProjectSecret(command.control, command.vault, { ref, name, value });
  return `${name} of project ${ref} is set and stored encrypted.`;
}

async function unset(command: ProjectCommand, name: string): Promise<string> {
  const ref = refIn(command);
  await unsetProjectSecret(command.control, ref, name);
  return `${name} of project ${ref} was removed.`;
}

export function readSettings(text: string): unknown {
  if (text.trim() === '') throw new UsageError('Pass the settings on standard input: … < settings.json');
  try {
    return parseJsonText(text);
  } catch {
    throw new CommandError('The settings are not valid JSON.');
  }
}

function providerIn(command: ProjectCommand): string {
  refIn(command);
  const [, name = ''] = command.args;
  if (isProviderName(name)) return name;
  throw new CommandError(
    'Write the provider name in lowercase: google, apple, github, or a name of your own.',
  );
}
