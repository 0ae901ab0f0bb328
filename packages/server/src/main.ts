import { runDev } from './commands/dev.ts';
import { localConfig } from './commands/dev-environment.ts';
import { explainError } from './commands/explain-error.ts';
import { runJobsCommand } from './commands/jobs.ts';
import { keysCommand } from './commands/keys.ts';
import { runMigrateCommand } from './commands/migrate.ts';
import { runProjectCommand } from './commands/project.ts';
import { runStart } from './commands/start.ts';
import { UsageError, usage } from './commands/usage.ts';
import { parseConfig } from './platform/config/config.ts';
import { version } from './version.ts';

const { env } = process;

/** Each returns what to print, if anything. */
const commands: Readonly<Record<string, (args: string[]) => Promise<string | void>>> = {
  dev: (args) => runDev(env, args),
  start: (args) => runStart(env, args),
  migrate: async () => runMigrateCommand(parseConfig(env)),
  project: async (args) => runProjectCommand(await localConfig(env), args),
  keys: async (args) => keysCommand(args)(await localConfig(env)),
  jobs: async (args) => runJobsCommand(await localConfig(env), args),
  '--version': async () => version,
  '--help': async () => usage,
  help: async () => usage,
};

async function main([name = 'help', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no "plinth ${name}".`);
  const text = await command(args);
  if (text !== undefined) process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
});
