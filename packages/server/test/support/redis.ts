import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Stops it in its tracks, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A real Redis on a free port of the loopback interface, or on the one that another had. */
export async function startRedis({
  port: given,
  args = [],
}: {
  port?: number;
  args?: readonly string[];
} = {}): Promise<RedisServer> {
  const port = given ?? (await freePort());
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // A replica writes down what it is sent, where it was started.
  const files = ['--dir', tmpdir(), '--dbfilename', `plinth-redis-${port}.rdb`];
  const server = spawn('redis-server', [...args, ...own, ...files], { stdio: 'ignore' });
  const ended = new Promise<void>((end) => server.once('exit', () => end()));
  const failed = new Promise<never>((_, fail) => {
    server.once('error', () => fail(new Error('The tests need Redis: apt-get install redis-server')));
  });
  await Promise.race([failed, untilAnswered(port)]);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    signal: (name) => void server.kill(name),
    async stop(signal = 'SIGTERM') {
      server.kill(signal);
      await ended;
    },
  };
}

/** A Sentinel that watches a Redis, and makes a replica the primary soon after it is gone. */
export async function startSentinel(primaryPort: number): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-sentinel-'));
  const path = join(folder, 'sentinel.conf');
  const lines = [
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds mymaster 500',
    'sentinel failover-timeout mymaster 3000',
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  const sentinel = await startRedis({ args: [path, '--sentinel'] });
  return {
    ...sentinel,
    async stop(signal) {
      await sentinel.stop(signal);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswered(port: number): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  for (let tries = 0; tries < 6000; tries += 1) {
    try {
      await redis.connect();
      redis.disconnect();
      return;
    } catch {
      await sleep(10);
    }
  }
  throw new Error('Redis did not start.');
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}
