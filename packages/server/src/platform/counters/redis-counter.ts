import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { MemoryCounter } from './memory-counter.ts';
import { currentWindow, type WindowCounter } from './window-counter.ts';

const retryAfterMs = 500;

/** Counts of all nodes together. While Redis is away each node counts alone, so that `hit` never fails. */
export class RedisCounter implements WindowCounter {
  readonly #redis: Redis;
  readonly #fallback = new MemoryCounter();
  #awayUntil = 0;

  constructor(url: string, log: Log) {
    this.#redis = new Redis(url, {
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 250,
      lazyConnect: true,
    });
    let told = false;
    this.#redis.on('error', (error) => {
      if (!told) log.warn({ err: error }, 'Redis is away: rate limits are counted by each node alone');
      told = true;
    });
    this.#redis.on('ready', () => {
      told = false;
    });
  }

  /** A node also starts without Redis. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch(() => {});
  }

  async hit(key: string, by = 1): Promise<number> {
    return (await this.#count(key, by)) ?? this.#fallback.hit(key, by);
  }

  hitStrictly(key: string): Promise<number | undefined> {
    return this.#count(key);
  }

  async #count(key: string, by = 1): Promise<number | undefined> {
    // If Redis does not answer, it is left alone for a moment, or every call would wait for the timeout.
    if (performance.now() < this.#awayUntil) return undefined;
    const name = `plinth:hits:${currentWindow().number}:${key}`;
    try {
      const [count] = await Promise.all([this.#redis.incrby(name, by), this.#redis.expire(name, 120)]);
      return count;
    } catch {
      this.#awayUntil = performance.now() + retryAfterMs;
      return undefined;
    }
  }

  async check(): Promise<void> {
    await this.#redis.ping();
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
  }
}
