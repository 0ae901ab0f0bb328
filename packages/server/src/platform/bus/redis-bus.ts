import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { type Bus, noteLifeMs } from './bus.ts';

/** For many nodes. */
export class RedisBus implements Bus {
  readonly #redis: Redis;
  readonly #hearing: Redis;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  constructor(url: string, log: Log) {
    this.#redis = new Redis(url, {
      enableAutoPipelining: true,
      // Nothing connects before it is needed.
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: 2000,
    });
    this.#hearing = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
    for (const redis of [this.#redis, this.#hearing])
      redis.on('error', (error) => log.debug({ err: error }, 'the bus waits for Redis'));
    this.#hearing.on('message', (channel: string, text: string) => {
      for (const heard of this.#listeners.get(channel) ?? []) heard(text);
    });
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.#redis.publish(keyOf(channel), text);
  }

  async listen(channel: string, heard: (text: string) => void): Promise<() => void> {
    const key = keyOf(channel);
    const listeners = this.#listeners.get(key) ?? new Set();
    const isNew = listeners.size === 0;
    this.#listeners.set(key, listeners.add(heard));
    if (isNew) await this.#hearing.subscribe(key);
    return () => {
      listeners.delete(heard);
      if (listeners.size > 0) return;
      this.#listeners.delete(key);
      this.#hearing.unsubscribe(key).catch(() => {});
    };
  }

  async note(board: string, name: string, text: string): Promise<void> {
    const key = keyOf(board);
    await Promise.all([
      this.#redis.hset(key, name, JSON.stringify([Date.now(), text])),
      this.#redis.pexpire(key, 2 * noteLifeMs),
    ]);
  }

  async removeNote(board: string, name: string): Promise<void> {
    await this.#redis.hdel(keyOf(board), name);
  }

  async notes(board: string): Promise<string[]> {
    const kept = await this.#redis.hvals(keyOf(board));
    const notes = kept.map((note) => JSON.parse(note) as [number, string]);
    return notes.filter(([at]) => at > Date.now() - noteLifeMs).map(([, text]) => text);
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    this.#hearing.disconnect();
  }
}

function keyOf(name: string): string {
  return `plinth:${name}`;
}
