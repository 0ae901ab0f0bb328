import { checkProviderSettings, isProviderName } from '../features/identities/index.ts';
import { checkMailSettings, checkSmsSettings, supportedLanguages } from '../features/messages/index.ts';
import {
  type Project,
  ProjectError,
  setLanguage,
  setProjectSecret,
  setTwoStepChoice,
  unsetProjectSecret,
} from '../features/projects/index.ts';
import type { ControlDb } from '../platform/db/control-db.ts';
import { parseJsonText } from '../platform/json.ts';
import type { Vault } from '../platform/vault.ts';
import { UsageError } from './usage.ts';

export interface ServiceCommand {
  readonly control: ControlDb;
  readonly vault: Vault;
  readonly ref: string;
  /** What comes after the ref. */
  readonly rest: readonly string[];
  /** Settings hold secrets: they come by standard input, not on the command line, where others can read them. */
  readonly readInput: () => Promise<string>;
}

type Action = (command: ServiceCommand) => Promise<string | Project>;

/** What an operator sets of the services a project needs: mail, text messages, identity providers. */
export const serviceActions: Readonly<Record<string, Action>> = {
  'set-mail': (command) => set(command, 'mail', checkMailSettings),
  'unset-mail': (command) => unset(command, 'mail'),
  'set-sms': (command) => set(command, 'sms', checkSmsSettings),
  'unset-sms': (command) => unset(command, 'sms'),
  'set-provider': (command) => {
    const name = providerIn(command);
    return set(command, `provider:${name}`, (value) => checkProviderSettings(name, value));
  },
  'unset-provider': (command) => unset(command, `provider:${providerIn(command)}`),
  'set-language': ({ control, ref, rest: [language = ''] }) => {
    const known = supportedLanguages.find((one) => one === language);
    if (known === undefined)
      throw new ProjectError(`The language is one of ${supportedLanguages.join(', ')}.`);
    return setLanguage(control, ref, known);
  },
  'set-2fa-opt-out': ({ control, ref, rest: [choice = ''] }) => {
    if (choice !== 'on' && choice !== 'off') throw new ProjectError('The choice of users is on or off.');
    return setTwoStepChoice(control, ref, choice === 'on');
  },
};

async function set(
  { control, vault, ref, readInput }: ServiceCommand,
  name: string,
  check: (value: unknown) => unknown,
): Promise<string> {
  const value = check(readJson(await readInput()));
  await setProjectSecret(control, vault, { ref, name, value });
  return `${name} of project ${ref} is set, and kept encrypted.`;
}

async function unset({ control, ref }: ServiceCommand, name: string): Promise<string> {
  if (!(await unsetProjectSecret(control, ref, name)))
    throw new ProjectError(`${name} of project ${ref} was not set.`);
  return `${name} of project ${ref} is gone.`;
}

function readJson(text: string): unknown {
  if (text.trim() === '')
    throw new UsageError('The settings are read from standard input: … < settings.json');
  try {
    return parseJsonText(text);
  } catch {
    throw new ProjectError('The settings are not JSON.');
  }
}

function providerIn({ rest: [name = ''] }: ServiceCommand): string {
  if (!isProviderName(name)) {
    throw new ProjectError(
      'A provider is named in small letters: google, apple, github, or a name of your own.',
    );
  }
  return name;
}
