import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  type Binaries,
  LocalPostgresError,
  packagedBinaries,
  reachableBinaries,
  type SystemUser,
  systemUser,
} from './local-binaries.ts';

export interface LocalPostgresOptions {
  /** Holds the cluster, its password and its log. */
  readonly folder: string;
  /** Default: those of the npm package for this platform. */
  readonly binaries?: Binaries;
  /** Where they are copied if the user of the server cannot reach them. */
  readonly copies?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: one that is free. */
  readonly port?: number;
}

export interface LocalPostgres {
  url(database: string): string;
  stop(): Promise<void>;
}

const startLimitMs = 60_000;

/** Starts a PostgreSQL of its own in a folder, on a free port of the loopback interface; makes the cluster first. */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const folder = resolve(options.folder);
  const cluster = join(folder, 'cluster');
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? systemUser() : undefined;
  const binaries = await reachableBinaries(
    options.binaries ?? (await packagedBinaries()),
    user,
    options.copies,
  );
  await mkdir(folder, { recursive: true });
  await chmod(folder, user ? 0o711 : 0o700);
  const password = await ownPassword(join(folder, passwordName), user);
  const place = placeOf(cluster, user);
  if (!existsSync(join(cluster, 'PG_VERSION'))) await makeCluster(binaries, place, user);
  await stopAbandoned(cluster, password);

  const port = options.port ?? (await freePort());
  const logFile = join(folder, 'postgres.log');
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = await startServer(binaries.postgres, ['-D', place.named, ...flags], {
    ...user,
    cwd: cluster,
    logFile,
  });
  const url = (database: string) => `postgres://plinth:${password}@127.0.0.1:${port}/${database}`;
  await untilReady(url('postgres'), server.isOver, logFile);
  server.process.unref();
  return {
    url,
    async stop() {
      server.process.ref();
      server.process.kill('SIGINT');
      await server.ended;
    },
  };
}

async function startServer(
  binary: string,
  flags: readonly string[],
  { logFile, ...where }: { cwd: string; logFile: string; uid?: number; gid?: number },
) {
  const log = await open(logFile, 'a');
  // A process group of its own: Ctrl-C in the terminal must reach only us, and we stop the server when all is done.
  const server = spawn(binary, flags, { ...where, detached: true, stdio: ['ignore', log.fd, log.fd] });
  let failure: Error | undefined;
  const ended = new Promise<void>((end) => {
    server.once('exit', () => end());
    server.once('error', (error) => {
      failure = error;
      end();
    });
  });
  await log.close();
  const isOver = () => failure !== undefined || server.exitCode !== null || server.signalCode !== null;
  return { process: server, ended, isOver };
}

/** Creates the database if it is not there, with the encoding and collation that a cell needs. */
export async function ensureDatabase(postgres: LocalPostgres, name: string): Promise<string> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  return postgres.url(name);
}

/** Where a cluster is, and how its server is told. */
interface Place {
  readonly cluster: string;
  readonly named: string;
}

const workingFolder = '/proc/self/cwd';

/**
 * Another user may not be able to walk to the folder, as inside root's home. A process that is put there before it becomes
 * that user has no need to walk.
 */
function placeOf(cluster: string, user: SystemUser | undefined): Place {
  return { cluster, named: user && existsSync(workingFolder) ? workingFolder : cluster };
}

async function makeCluster(
  binaries: Binaries,
  { cluster, named }: Place,
  user: SystemUser | undefined,
): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  if (user) await chown(cluster, user.uid, user.gid);
  const flags = [
    `--pgdata=${named}`,
    '--username=plinth',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--pwfile=${join('..', passwordName)}`,
  ];
  try {
    execFileSync(binaries.initdb, flags, { ...user, cwd: cluster, stdio: 'pipe' });
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    const output = String(
      (error instanceof Error && 'stderr' in error ? error.stderr : undefined) ?? error,
    ).trim();
    throw new LocalPostgresError(`PostgreSQL could not create its files in ${cluster}: ${output}.`);
  }
}

const passwordName = 'password';

/** Kept beside the cluster, readable by its owner alone. */
async function ownPassword(file: string, user: SystemUser | undefined): Promise<string> {
  if (existsSync(file)) return readFile(file, 'utf8');
  const password = randomBytes(24).toString('hex');
  await writeFile(file, password, { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
  return password;
}

/** A server whose owner was killed still holds the cluster: it is asked to end. */
async function stopAbandoned(cluster: string, password: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [pid, , , port] = (await readFile(file, 'utf8')).split('\n');
  const client = new Client({ connectionString: `postgres://plinth:${password}@127.0.0.1:${port}/postgres` });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const named = rows[0]?.data_directory;
    const found = named === workingFolder ? await readlink(`/proc/${pid}/cwd`) : named;
    if (found !== cluster) throw new Error('another');
    process.kill(Number(pid), 'SIGINT');
  } catch {
    await rm(file, { force: true });
    return;
  } finally {
    client.end().catch(() => {});
  }
  for (let waitedMs = 0; existsSync(file) && waitedMs < startLimitMs; waitedMs += 50) await sleep(50);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}

async function untilReady(url: string, isOver: () => boolean, logFile: string): Promise<void> {
  for (const started = performance.now(); performance.now() - started < startLimitMs; ) {
    if (isOver()) break;
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(20);
    }
  }
  throw new LocalPostgresError(`PostgreSQL did not start. Its log: ${logFile}`);
}
