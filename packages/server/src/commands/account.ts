import { parseArgs } from 'node:util';
import { getProject } from '../features/control/projects/index.ts';
import {
  accountByEmail,
  inviteAccount,
  saveProjectLimit,
  signInLinkFor,
} from '../features/management/accounts/index.ts';
import { giveProject } from '../features/management/members/index.ts';
import type { Config } from '../platform/config/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { inShellWords } from './shell-words.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

interface AccountCommand {
  readonly config: Config;
  readonly control: ControlDb;
  readonly email: string;
  readonly args: readonly string[];
}

const actions: Readonly<Record<string, (command: AccountCommand) => Promise<string>>> = {
  invite: async ({ config, control, email }) => {
    const token = await inviteAccount(control, email);
    return `With this link, ${email} can create an account, once, within 7 days:\n\n  ${pageOf(config, 'join', token)}`;
  },
  'sign-in-link': ({ config, control, email }) => signInLines(config, control, email),
  give: async ({ control, email, args: [ref] }) => {
    if (ref === undefined) throw new UsageError('The ref is missing: plinth account give <email> <ref>.');
    const { id } = await accountByEmail(control, email);
    const project = await getProject(control, ref);
    await giveProject(control, project.id, id);
    return `${email} now owns project ${ref}.`;
  },
  'set-project-limit': async ({ control, email, args: [text] }) => {
    if (text === undefined || !/^(\d{1,9}|default)$/.test(text))
      throw new UsageError(
        'The number of projects is missing: plinth account set-project-limit <email> <n|default>.',
      );
    const { id } = await accountByEmail(control, email);
    await saveProjectLimit(control, id, text === 'default' ? null : Number(text));
    return `${email} can own ${text === 'default' ? 'the default number of projects' : `${text} projects`}.`;
  },
};

/** `plinth account …`: the people who manage projects. Returns the lines to print. */
export async function runAccountCommand(config: Config, args: string[]): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [name = '', email, ...rest] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(
      `There is no "plinth account ${name}". Actions: ${Object.keys(actions).join(', ')}.`,
    );
  if (email === undefined) throw new UsageError('The email address is missing.');
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    return action({ config, control, email, args: rest }).catch((error: unknown) => {
      throw inShellWords(error);
    });
  });
}

/** A link that signs in, with what it is; makes the account if there is none. */
export async function signInLines(config: Config, control: ControlDb, email: string): Promise<string> {
  const token = await signInLinkFor(control, email);
  return `This link signs in as ${email}, once, within a day:\n\n  ${pageOf(config, 'sign-in', token)}`;
}

function pageOf({ DASHBOARD_URL, PUBLIC_URL, PORT }: Config, page: string, token: string): string {
  const origin = DASHBOARD_URL ?? PUBLIC_URL ?? `http://localhost:${PORT}`;
  return `${origin}/account/${page}?token=${token}`;
}
