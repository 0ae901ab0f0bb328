import cluster from 'node:cluster';
import type { Log } from '../log.ts';
import { BusyCounter } from './busy-counter.ts';
import { MemoryCounter } from './memory-counter.ts';
import { ProcessCounter } from './process-counter.ts';
import { RedisCounter } from './redis-counter.ts';
import type { WindowCounter } from './window-counter.ts';

/** Counts on Redis where there is one, else in this process, or with the other processes of the node. */
export function createCounter(redisUrl: string | undefined, log: Log): WindowCounter {
  if (redisUrl !== undefined) return new BusyCounter(new RedisCounter(redisUrl, log));
  return cluster.isWorker ? new BusyCounter(new ProcessCounter()) : new MemoryCounter();
}
