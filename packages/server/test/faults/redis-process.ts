import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../support/redis.ts';

/** A Redis that can be killed, paused and filled, and is always at the same address. */
export class RedisProcess implements AsyncDisposable {
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort());
    await redis.begin();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  async begin(): Promise<void> {
    const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#server = spawn('redis-server', ['--port', String(this.#port), ...settings], { stdio: 'ignore' });
    for (let tries = 0; tries < 3000; tries += 1) {
      if (await this.#ask((redis) => redis.ping()).catch(() => undefined)) return;
      await sleep(20);
    }
    throw new Error('Redis did not start.');
  }

  async kill(): Promise<void> {
    const server = this.#server!;
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  pause(): void {
    this.#server!.kill('SIGSTOP');
  }

  resume(): void {
    this.#server!.kill('SIGCONT');
  }

  /** From now on nothing more fits in; 0: as much as the machine has. */
  async limitMemory(bytes: number): Promise<void> {
    await this.#ask((redis) => redis.config('SET', 'maxmemory', bytes));
  }

  async #ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis({
      port: this.#port,
      host: '127.0.0.1',
      lazyConnect: true,
      retryStrategy: () => null,
    });
    redis.on('error', () => {});
    try {
      await redis.connect();
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
