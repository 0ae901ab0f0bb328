import { runDev } from './commands/dev.ts';
import { rotateKeys } from './commands/keys.ts';
import { migrateAll } from './commands/migrate.ts';
import { runProjectCommand } from './commands/project.ts';
import { serve } from './commands/serve.ts';
import { UsageError, usage } from './commands/usage.ts';
import { ProjectError } from './features/projects/index.ts';
import { ConfigError, parseConfig } from './platform/config.ts';
import { LocalPostgresError } from './platform/db/local-postgres.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { version } from './version.ts';

const [command, ...args] = process.argv.slice(2);

async function main(): Promise<void> {
  switch (command) {
    case 'dev':
      return runDev(process.env, args);
    case 'start': {
      if (args.length > 0)
        throw new UsageError('plinth start takes no options: it is configured by environment variables.');
      await serve(parseConfig(process.env));
      return;
    }
    case 'migrate': {
      const done = await migrateAll(parseConfig(process.env));
      print(
        done.length === 0 ? 'Everything is up to date.' : done.map((name) => `applied ${name}`).join('\n'),
      );
      return;
    }
    case 'project':
      return print(await runProjectCommand(parseConfig(process.env), args));
    case 'keys':
      if (args[0] !== 'rotate' || args.length > 1)
        throw new UsageError('plinth keys takes one action: rotate.');
      return print(`New tokens are signed with key ${await rotateKeys(parseConfig(process.env))}.`);
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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a person at the keyboard can mend is said in a line; anything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  const isExpected = [ConfigError, ProjectError, MigrationError, LocalPostgresError].some(
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
