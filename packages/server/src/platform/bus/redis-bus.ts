import { Redis } from 'ioredis';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import { type Bus, noteLifeMs } from './bus.ts';
import { Listeners } from './listeners.ts';

/** For many nodes. */
export class RedisBus implements Bus {
  readonly #redis: Redis;
  readonly #hearing: Redis;
  readonly #listeners: Listeners;

  constructor(url: string, log: Log) {
    this.#listeners = new Listeners(log);
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
    this.#hearing.on(
      'message',
      guarded(reporting(log, 'a message between nodes could not be taken'), (channel: string, text: string) =>
        this.#listeners.tell(channel, text),
      ),
    );
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.#redis.publish(keyOf(channel), text);
  }

  async listen(channel: string, heard: (text: string) => void): Promise<() => void> {
    const key = keyOf(channel);
    if (this.#listeners.add(key, heard)) await this.#hearing.subscribe(key);
    return () => {
      if (this.#listeners.remove(key, heard)) this.#hearing.unsubscribe(key).catch(() => {});
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
