import type { Log } from '../log.ts';
import { MemoryCounter } from './memory-counter.ts';
import { RedisCounter } from './redis-counter.ts';
import type { WindowCounter } from './window-counter.ts';

/** Counts on Redis where there is one, else in this process. */
export function createCounter(redisUrl: string | undefined, log: Log): WindowCounter {
  return redisUrl === undefined ? new MemoryCounter() : new RedisCounter(redisUrl, log);
}
