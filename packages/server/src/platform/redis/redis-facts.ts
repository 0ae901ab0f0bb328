import { type ClockReading, compareClocks } from '../clock/clock-reading.ts';
import { createRedis } from './create-redis.ts';
import { soon } from './soon.ts';

/** What Redis says of itself. */
export interface RedisFacts {
  readonly version: string;
  readonly isPrimary: boolean;
  readonly evictionPolicy: string;
  readonly usedBytes: number;
  /** What it may use: its own limit, else the memory of its machine. */
  readonly mostBytes: number;
  readonly hasLimit: boolean;
  readonly clock: ClockReading;
}

/** Over a connection of its own, which is not made again once it fails. */
export async function readRedisFacts(url: string, withinMs: number): Promise<RedisFacts> {
  const redis = createRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  // What is asked fails by itself.
  redis.on('error', () => {});
  try {
    await soon(redis.connect(), withinMs);
    const askedAt = Date.now();
    const [seconds, micros] = await soon(redis.time(), withinMs);
    const clock = compareClocks(Number(seconds) * 1000 + Number(micros) / 1000, askedAt);
    const info = readInfo(await soon(redis.info(), withinMs));
    const limit = Number(info.get('maxmemory') ?? 0);
    return {
      version: info.get('redis_version') ?? '',
      isPrimary: info.get('role') === 'master',
      evictionPolicy: info.get('maxmemory_policy') ?? '',
      usedBytes: Number(info.get('used_memory') ?? 0),
      mostBytes: limit > 0 ? limit : Number(info.get('total_system_memory') ?? 0),
      hasLimit: limit > 0,
      clock,
    };
  } finally {
    redis.disconnect();
  }
}

function readInfo(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(/^([a-z_]+):(.*?)\r?$/gm), ([, name = '', value = '']) => [name, value]),
  );
}
