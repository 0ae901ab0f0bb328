import { localConfig, takeDataDir } from './commands/dev-environment.ts';
import { explainError } from './commands/explain-error.ts';
import { type Outcome, UsageError, usage } from './commands/usage.ts';
import { type Config, parseConfig } from './platform/config/config.ts';
import { version } from './version.ts';

const { env } = process;

/** Each returns what to print, if anything. A command loads what it needs: nobody waits for the rest of the service. */
const commands: Readonly<Record<string, (args: string[]) => Promise<string | Outcome | void>>> = {
  init: async (args) => (await import('./commands/init.ts')).runInit(args),
  dev: async (args) => (await import('./commands/dev.ts')).runDev(env, args),
  start: async (args) => (await import('./commands/start.ts')).runStart(env, args),
  doctor: async (args) => (await import('./commands/doctor/run-doctor.ts')).runDoctor(env, args),
  migrate: async () => (await import('./commands/migrate.ts')).runMigrateCommand(parseConfig(env)),
  setup: async (args) => (await import('./commands/setup.ts')).runSetup(parseConfig(env), args),
  project: async (args) => (await import('./commands/run-project.ts')).runProject(env, args),
  login: async (args) => (await import('./commands/remote/login.ts')).runLogin(env, args),
  logout: async (args) => (await import('./commands/remote/login.ts')).runLogout(env, args),
  keys: local(async (args, config) => (await import('./commands/keys.ts')).keysCommand(args)(await config())),
  jobs: local(async (args, config) =>
    (await import('./commands/jobs.ts')).runJobsCommand(await config(), args),
  ),
  'after-restore': local(async (args, config) =>
    (await import('./commands/after-restore.ts')).runAfterRestore(await config(), args),
  ),
  account: local(async (args, config) =>
    (await import('./commands/account.ts')).runAccountCommand(await config(), args),
  ),
  types: remote(async () => (await import('./commands/types/run-types.ts')).runTypesCommand),
  pull: remote(async () => (await import('./commands/configuration/pull.ts')).runPull),
  diff: remote(async () => (await import('./commands/configuration/diff.ts')).runDiff),
  push: remote(async () => (await import('./commands/configuration/push.ts')).runPush),
  test: remote(async () => (await import('./commands/configuration/test-rules.ts')).runTestRules),
  functions: remote(async () => (await import('./commands/functions/run-functions.ts')).runFunctions),
  '--version': async () => version,
  '--help': async () => usage,
  help: async () => usage,
};

/** A command that speaks to a project over HTTP. */
function remote<Result>(
  load: () => Promise<
    (environment: NodeJS.ProcessEnv, args: string[], folder: string | undefined) => Promise<Result>
  >,
) {
  return async (args: string[]): Promise<Result> => {
    const { folder, rest } = takeDataDir(args);
    return (await load())(env, rest, folder);
  };
}

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
  const outcome = await command(args);
  if (outcome === undefined) return;
  const { text, exitCode } = typeof outcome === 'string' ? { text: outcome, exitCode: 0 } : outcome;
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCode;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
});
