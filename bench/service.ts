import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureDatabase, startLocalPostgres } from '../packages/server/src/platform/db/local-postgres.ts';

const plinth = fileURLToPath(new URL('../packages/server/bin/plinth.js', import.meta.url));

export interface Node extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

interface StartedNode extends Node {
  /** From the start of the process to its first answer. */
  readonly startedInMs: number;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  /** Of the node. */
  readonly pid: number;
}

export interface Postgres extends AsyncDisposable {
  /** A folder that is thrown away with it. */
  readonly folder: string;
  /** Makes a database; its URL. */
  database(name: string): Promise<string>;
}

/** A PostgreSQL of its own, in a folder that is thrown away. */
export async function startPostgres(more: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'));
  const postgres = await startLocalPostgres({
    folder: join(folder, 'postgres'),
    settings: {
      shared_buffers: '1GB',
      max_wal_size: '4GB',
      wal_level: 'logical',
      max_connections: '300',
      ...more,
    },
  });
  return {
    folder,
    database: (name) => ensureDatabase(postgres, name),
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface NodeOptions {
  readonly settings: Record<string, string>;
  /** Of `plinth start`. */
  readonly args?: readonly string[];
  /** Another checkout, built, whose node it is. */
  readonly checkout?: string | undefined;
  /** The folder for a profile of what it does. */
  readonly profile?: string | undefined;
}

/** A node in its production settings, on a database that it prepares first. */
export async function startNode(
  databaseUrl: string,
  port: number,
  { settings, args = [], profile, checkout }: NodeOptions,
): Promise<StartedNode> {
  const environment = {
    ...process.env,
    // What is measured is what is built, also where npm would have the sources run.
    NODE_OPTIONS: '',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...settings,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  };
  const program = checkout === undefined ? plinth : join(checkout, 'packages/server/bin/plinth.js');
  await run(program, ['migrate'], environment);
  const startedAt = performance.now();
  const watched = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const node = spawn(process.execPath, [...watched, program, 'start', ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    pid: node.pid!,
    startedInMs: performance.now() - startedAt,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((end) => node.once('exit', end));
      node.kill('SIGTERM');
      await ended;
    },
  };
}

/** A PostgreSQL and a node of their own, in their production settings, in a folder that is thrown away. */
export async function startService(port: number, settings: Record<string, string> = {}): Promise<Service> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.database('plinth');
  const node = await startNode(databaseUrl, port, {
    settings: {
      ...(settings.S3_BUCKET === undefined && { FILES_FOLDER: join(postgres.folder, 'files') }),
      ...settings,
    },
  });
  return {
    url: node.url,
    databaseUrl,
    pid: node.pid,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

async function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((end) => child.once('exit', end));
  if (code !== 0) throw new Error(`plinth ${args.join(' ')} failed`);
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 6000; tries += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(10);
  }
  throw new Error('The node did not start.');
}
