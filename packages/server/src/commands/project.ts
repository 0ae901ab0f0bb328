import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Config } from '../platform/config/config.ts';
import { openVault } from '../platform/crypto/vault.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import type { ProjectAction } from './project-action.ts';
import { configAction } from './project-configs.ts';
import { envAction } from './project-env.ts';
import { lifeActions } from './project-life.ts';
import { secretActions } from './project-secrets.ts';
import { settingActions } from './project-settings.ts';
import { inShellWords } from './shell-words.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

const actions: Readonly<Record<string, ProjectAction>> = {
  ...lifeActions,
  ...settingActions,
  ...secretActions,
  config: configAction,
  env: envAction,
};

/** `plinth project …`: what an operator does with projects. Returns the lines to print. */
export async function runProjectCommand(
  config: Config,
  args: string[],
  readInput: () => Promise<string> = () => readText(process.stdin),
): Promise<string> {
  const { values: options, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tier: { type: 'string' },
      'rate-limit': { type: 'string' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [name = '', ...rest] = positionals;
  const action = findAction(name);
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    const command = { config, cells, control, vault: openVault(config), args: rest, options, readInput };
    return action(command).catch((error: unknown) => {
      throw inShellWords(error);
    });
  });
}

function findAction(name: string): ProjectAction {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action;
  throw new UsageError(
    name === '' ? 'plinth project needs an action.' : `There is no "plinth project ${name}".`,
  );
}
