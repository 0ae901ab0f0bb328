import { Redis } from 'ioredis';
import { defineError } from '../errors.ts';
import type { Log } from '../log.ts';
import { MemoryCounter } from './memory-counter.ts';
import { currentWindow, type WindowCounter } from './window-counter.ts';

const retryAfterMs = 500;

const countersAway = defineError('engine_unavailable', () => ({
  message: 'Sign-in is not possible just now. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));

/** Counts of all nodes together. While Redis is away each node counts alone: data limits fail open, not shut. */
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

  /** A node starts without Redis too. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch(() => {});
  }

  async hit(key: string, by = 1): Promise<number> {
    return (await this.#count(key, by)) ?? this.#fallback.hit(key, by);
  }

  async hitStrictly(key: string): Promise<number> {
    const count = await this.#count(key);
    if (count === undefined) throw countersAway();
    return count;
  }

  async #count(key: string, by = 1): Promise<number | undefined> {
    // One that does not answer is left alone for a moment, or every call would wait out the timeout.
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
