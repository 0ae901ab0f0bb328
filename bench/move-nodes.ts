import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureDatabase, startLocalPostgres } from '../packages/server/src/platform/db/local-postgres.ts';

const plinth = fileURLToPath(new URL('../packages/server/bin/plinth.js', import.meta.url));

/** One PostgreSQL in its production settings, and as many nodes on it as are started. */
export interface Installation extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Starts a node; its address, and the process. */
  startNode(settings?: Record<string, string>): Promise<{ url: string; node: ChildProcess }>;
}

export async function install(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'));
  const postgres = await startLocalPostgres({
    folder: join(folder, 'postgres'),
    settings: { shared_buffers: '1GB', max_wal_size: '4GB', wal_level: 'logical', max_connections: '200' },
  });
  const databaseUrl = await ensureDatabase(postgres, 'plinth');
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    FILES_FOLDER: join(folder, 'files'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    SHUTDOWN_DELAY_MS: '0',
  };
  const nodes: ChildProcess[] = [];
  const start = (args: string[], settings: Record<string, string>) => {
    const node = spawn(process.execPath, [plinth, ...args], {
      env: { ...environment, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    nodes.push(node);
    return node;
  };
  const [code] = await once(start(['migrate'], {}), 'exit');
  if (code !== 0) throw new Error('plinth migrate failed');
  return {
    databaseUrl,
    async startNode(settings = {}) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const node = start(['start'], { ...settings, PORT: String(port) });
      await untilReady(url);
      return { url, node };
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) {
        if (node.exitCode !== null || node.signalCode !== null) continue;
        const ended = once(node, 'exit');
        node.kill('SIGTERM');
        await ended;
      }
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('The node did not start.');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
