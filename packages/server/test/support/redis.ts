import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A real Redis on a free port of the loopback interface. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((end) => server.once('exit', () => end()));
  const failed = new Promise<never>((_, fail) => {
    server.once('error', () => fail(new Error('The tests need Redis: apt-get install redis-server')));
  });
  await Promise.race([failed, untilAnswered(port)]);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await ended;
    },
  };
}

async function untilAnswered(port: number): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  for (let tries = 0; tries < 500; tries += 1) {
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

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}
