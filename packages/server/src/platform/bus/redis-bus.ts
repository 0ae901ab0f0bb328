import type { Redis, Result } from 'ioredis';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import { createRedis } from '../redis/create-redis.ts';
import { luaClock } from '../redis/lua-clock.ts';
import { type Bus, noteLifeMs } from './bus.ts';
import { Listeners } from './listeners.ts';

/** A note begins with the time at which it was left or renewed. */
const leaveNoteScript = `${luaClock}
redis.call('HSET', KEYS[1], ARGV[1], now .. ' ' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`;

const readNotesScript = `${luaClock}
local texts = {}
for _, note in ipairs(redis.call('HVALS', KEYS[1])) do
  local at, text = string.match(note, '^(%d+) (.*)$')
  if at and tonumber(at) > now - ARGV[1] then texts[#texts + 1] = text end
end
return texts
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    leaveNote(key: string, name: string, text: string, lifeMs: number): Result<null, Context>;
    readNotes(key: string, lifeMs: number): Result<string[], Context>;
  }
}

const scripts = {
  leaveNote: { lua: leaveNoteScript, numberOfKeys: 1 },
  readNotes: { lua: readNotesScript, numberOfKeys: 1 },
};

/** For many nodes. */
export class RedisBus implements Bus {
  readonly #redis: Redis;
  readonly #hearing: Redis;
  readonly #listeners: Listeners;

  constructor(url: string, log: Log) {
    this.#listeners = new Listeners(log);
    this.#redis = createRedis(url, {
      enableAutoPipelining: true,
      maxRetriesPerRequest: 1,
      commandTimeout: 2000,
      scripts,
    });
    this.#hearing = createRedis(url, { maxRetriesPerRequest: null });
    for (const redis of [this.#redis, this.#hearing])
      redis.on('error', (error) => log.debug({ err: error }, 'the bus is waiting for Redis'));
    this.#hearing.on(
      'message',
      guarded(
        reporting(log, 'a message between nodes could not be processed'),
        (channel: string, text: string) => this.#listeners.tell(channel, text),
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
    await this.#redis.leaveNote(keyOf(board), name, text, 2 * noteLifeMs);
  }

  async removeNote(board: string, name: string): Promise<void> {
    await this.#redis.hdel(keyOf(board), name);
  }

  async notes(board: string): Promise<string[]> {
    return this.#redis.readNotes(keyOf(board), noteLifeMs);
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    this.#hearing.disconnect();
  }
}

function keyOf(name: string): string {
  return `plinth:${name}`;
}
