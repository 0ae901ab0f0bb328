import { localConfig } from './commands/dev-environment.ts';
import { explainError } from './commands/explain-error.ts';
import { UsageError, usage } from './commands/usage.ts';
import { parseConfig } from './platform/config/config.ts';
import { version } from './version.ts';

const { env } = process;

/** Each returns what to print, if anything. A command loads what it needs: nobody waits for the rest of the service. */
const commands: Readonly<Record<string, (args: string[]) => Promise<string | void>>> = {
  dev: async (args) => (await import('./commands/dev.ts')).runDev(env, args),
  start: async (args) => (await import('./commands/start.ts')).runStart(env, args),
  migrate: async () => (await import('./commands/migrate.ts')).runMigrateCommand(parseConfig(env)),
  project: async (args) =>
    (await import('./commands/project.ts')).runProjectCommand(await localConfig(env), args),
  keys: async (args) => (await import('./commands/keys.ts')).keysCommand(args)(await localConfig(env)),
  jobs: async (args) => (await import('./commands/jobs.ts')).runJobsCommand(await localConfig(env), args),
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
