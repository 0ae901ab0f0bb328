import { localConfig, takeDataDir } from './commands/dev-environment.ts';
import { explainError } from './commands/explain-error.ts';
import { UsageError, usage } from './commands/usage.ts';
import { type Config, parseConfig } from './platform/config/config.ts';
import { version } from './version.ts';

const { env } = process;

/** Each returns what to print, if anything. A command loads what it needs: nobody waits for the rest of the service. */
const commands: Readonly<Record<string, (args: string[]) => Promise<string | void>>> = {
  dev: async (args) => (await import('./commands/dev.ts')).runDev(env, args),
  start: async (args) => (await import('./commands/start.ts')).runStart(env, args),
  migrate: async () => (await import('./commands/migrate.ts')).runMigrateCommand(parseConfig(env)),
  project: local(async (args, config) =>
    (await import('./commands/project.ts')).runProjectCommand(await config(), args),
  ),
  keys: local(async (args, config) => (await import('./commands/keys.ts')).keysCommand(args)(await config())),
  jobs: local(async (args, config) =>
    (await import('./commands/jobs.ts')).runJobsCommand(await config(), args),
  ),
  types: async (args) => {
    const { folder, rest } = takeDataDir(args);
    return (await import('./commands/types/run-types.ts')).runTypesCommand(env, rest, folder);
  },
  '--version': async () => version,
  '--help': async () => usage,
  help: async () => usage,
};

/** A command that also speaks to a `plinth dev` on this machine. */
function local(run: (args: string[], config: () => Promise<Config>) => Promise<string>) {
  return (args: string[]) => {
    const { folder, rest } = takeDataDir(args);
    return run(rest, () => localConfig(env, folder));
  };
}

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
