import { join } from 'node:path';
import { type Config, parseConfig } from '../platform/config/config.ts';
import type { Binaries } from '../platform/db/local-binaries.ts';
import { ensureDatabase, startLocalPostgres } from '../platform/db/local-postgres.ts';
import { secretOf } from './dev-folder.ts';

/** Where a service on this machine keeps everything, and listens. */
interface DevPlace {
  readonly folder: string;
  readonly host: string;
  readonly port: string;
  /** A PostgreSQL that is there already. */
  readonly databaseUrl?: string | undefined;
}

interface DevDatabase {
  url(): Promise<string>;
  stop(): Promise<void>;
}

/** Whoever tests an app against it makes more calls than a person would. */
const limits = [
  'ADDRESS_RATE_LIMIT',
  'FILE_ADDRESS_LIMIT',
  'IMAGE_ADDRESS_LIMIT',
  'AUTH_ADDRESS_LIMIT',
  'AUTH_ACCOUNT_LIMIT',
];

/** The database that was named, or a PostgreSQL of its own in the data folder. */
export async function openDatabase(
  { databaseUrl, folder }: Pick<DevPlace, 'databaseUrl' | 'folder'>,
  binaries: Binaries | undefined,
): Promise<DevDatabase> {
  if (databaseUrl !== undefined) return { url: async () => databaseUrl, stop: async () => {} };
  const postgres = await startLocalPostgres({
    folder: join(folder, 'postgres'),
    ...(binaries && { binaries }),
    settings: { wal_level: 'logical' },
  });
  return { url: () => ensureDatabase(postgres, 'plinth'), stop: () => postgres.stop() };
}

/** What a service on this machine is configured with. */
export async function devConfig(
  environment: NodeJS.ProcessEnv,
  { folder, host, port }: DevPlace,
  databaseUrl: string,
): Promise<Config> {
  return parseConfig({
    REDIS_URL: environment.REDIS_URL,
    SMTP_URL: environment.SMTP_URL,
    MAIL_FROM: environment.MAIL_FROM,
    // Everything is on this machine, and so are the services that a project under development talks to.
    OUTBOUND_ALLOW: '127.0.0.0/8, ::1',
    FUNCTIONS_EGRESS_ALLOW: '127.0.0.0/8, ::1',
    FUNCTIONS_SANDBOX: environment.FUNCTIONS_SANDBOX,
    DEFAULT_TIER: environment.DEFAULT_TIER,
    ADMIN_PORT: environment.ADMIN_PORT,
    SLOW_CALL_MS: environment.SLOW_CALL_MS,
    ...Object.fromEntries(limits.map((name) => [name, environment[name]])),
    LOG_LEVEL: environment.LOG_LEVEL ?? 'warn',
    // There is no other server to turn to, and a laptop that wakes up or compiles needs a moment.
    DATABASE_CONNECT_TIMEOUT_MS: environment.DATABASE_CONNECT_TIMEOUT_MS ?? '15000',
    DATABASE_URL: databaseUrl,
    FILES_FOLDER: join(folder, 'files'),
    SECRET_KEY: await secretOf(folder),
    HOST: host,
    PORT: port,
    SHUTDOWN_DELAY_MS: '0',
  });
}
