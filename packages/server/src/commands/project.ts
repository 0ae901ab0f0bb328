import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Config } from '../platform/config/config.ts';
import { openVault } from '../platform/crypto/vault.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import type { ServiceAddress } from './call-service.ts';
import type { ProjectAction } from './project-action.ts';
import { configAction } from './project-configs.ts';
import { envAction } from './project-env.ts';
import { keyActions } from './project-keys.ts';
import { lifeActions } from './project-life.ts';
import { secretActions } from './project-secrets.ts';
import { settingActions } from './project-settings.ts';
import { remoteActions } from './remote/project-actions.ts';
import { inShellWords } from './shell-words.ts';
import { CommandError, UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

const actions: Readonly<Record<string, ProjectAction>> = {
  ...lifeActions,
  ...keyActions,
  ...settingActions,
  ...secretActions,
  config: configAction,
  env: envAction,
};

type ReadInput = () => Promise<string>;

const fromStandardInput: ReadInput = () => readText(process.stdin);

/** `plinth project …`: what an operator does with projects, on the database. Returns the lines to print. */
export async function runProjectCommand(
  config: Config,
  args: string[],
  readInput = fromStandardInput,
): Promise<string> {
  const { name, rest, options } = readArgs(args);
  const action = findAction(actions, name);
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    const command = { config, cells, control, vault: openVault(config), args: rest, options, readInput };
    return action(command).catch((error: unknown) => {
      throw inShellWords(error);
    });
  });
}

/** `plinth project …` over HTTP: what an account does with its projects. */
export async function runRemoteProjectCommand(
  at: ServiceAddress,
  args: string[],
  readInput = fromStandardInput,
): Promise<string> {
  const { name, rest, options } = readArgs(args);
  if (!Object.hasOwn(remoteActions, name) && Object.hasOwn(actions, name))
    throw new CommandError(
      name === 'set-tier'
        ? 'Only the operator of the deployment can set the tier, with access to its database (DATABASE_URL).'
        : `plinth project ${name} needs an owner who has just signed in, over HTTP (docs/management.md), or access to the database (DATABASE_URL).`,
    );
  return findAction(remoteActions, name)({ at, args: rest, options, readInput });
}

function readArgs(args: string[]) {
  const { values: options, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tier: { type: 'string' },
      'rate-limit': { type: 'string' },
      name: { type: 'string' },
      scope: { type: 'string', multiple: true },
      expires: { type: 'string' },
      address: { type: 'string', multiple: true },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [name = '', ...rest] = positionals;
  return { name, rest, options };
}

function findAction<Action>(all: Readonly<Record<string, Action>>, name: string): Action {
  const action = Object.hasOwn(all, name) ? all[name] : undefined;
  if (action) return action;
  throw new UsageError(
    name === '' ? 'plinth project needs an action.' : `There is no "plinth project ${name}".`,
  );
}
