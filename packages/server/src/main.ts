import { runDev } from './commands/dev.ts';
import { devEnvironment } from './commands/dev-environment.ts';
import { runJobsCommand } from './commands/jobs.ts';
import { resealAll, rotateKeys } from './commands/keys.ts';
import { migrateAll } from './commands/migrate.ts';
import { runProjectCommand } from './commands/project.ts';
import { runStart } from './commands/start.ts';
import { UsageError, usage } from './commands/usage.ts';
import { ProjectError } from './features/projects/index.ts';
import { ConfigError, parseConfig } from './platform/config.ts';
import { LocalPostgresError } from './platform/db/local-postgres.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { VaultError } from './platform/vault.ts';
import { version } from './version.ts';

const [command, ...args] = process.argv.slice(2);

async function main(): Promise<void> {
  switch (command) {
    case 'dev':
      return runDev(process.env, args);
    case 'start':
      return runStart(process.env, args);
    case 'migrate': {
      const done = await migrateAll(parseConfig(process.env));
      print(
        done.length === 0 ? 'Everything is up to date.' : done.map((name) => `applied ${name}`).join('\n'),
      );
      return;
    }
    case 'project':
      return print(await runProjectCommand(await localConfig(), args));
    case 'keys':
      if (args.length !== 1 || (args[0] !== 'rotate' && args[0] !== 'reseal'))
        throw new UsageError('plinth keys takes one action: rotate or reseal.');
      if (args[0] === 'reseal') return print(await resealAll(await localConfig()));
      return print(`New tokens are signed with key ${await rotateKeys(await localConfig())}.`);
    case 'jobs':
      return print(await runJobsCommand(await localConfig(), args));
    case '--version':
      return print(version);
    case undefined:
    case 'help':
    case '--help':
      return print(usage);
    default:
      throw new UsageError(`There is no "plinth ${command}".`);
  }
}

/** What the environment says; where it names no database, that of the `plinth dev` which runs in this folder. */
async function localConfig() {
  const isNamed = (process.env.DATABASE_URL ?? '') !== '';
  if (isNamed) return parseConfig(process.env);
  const environment = await devEnvironment();
  if (!environment) {
    throw new ConfigError(
      'DATABASE_URL is not set, and no plinth dev runs in this folder (with its data in .plinth).',
    );
  }
  return parseConfig({ ...process.env, ...environment });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a person at the keyboard can mend is said in a line; anything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  const isExpected = [ConfigError, ProjectError, MigrationError, LocalPostgresError, VaultError].some(
    (kind) => error instanceof kind,
  );
  if (isExpected) return (error as Error).message;
  const { code, message, stack } = error as Error & { code?: string };
  if (code === 'EADDRINUSE') return 'The port is in use. Choose another with --port (or PORT).';
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${usage}`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000')
    return `The database cannot be used: ${message || code}`;
  if (code === '42P01' || code === '3F000')
    return `The database is not prepared (${message}). Run: plinth migrate`;
  return stack ?? String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
