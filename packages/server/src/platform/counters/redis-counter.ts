import { Redis, type Result } from 'ioredis';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import { MemoryCounter } from './memory-counter.ts';
import { type Bucket, currentWindow, type Taken, unlimited, type WindowCounter } from './window-counter.ts';

const patienceMs = 250;
/** What must not be counted by each node alone waits longer: a busy machine is not one whose Redis is away. */
const strictPatienceMs = 2000;
const retryAfterMs = 500;

/** Redis runs it as one step. Answers which bucket was full, from 1 on, or 0; then what each of them holds. */
const lua = `
  local full = 0
  local counts = redis.call('MGET', unpack(KEYS))
  for at = 1, #KEYS do
    counts[at] = tonumber(counts[at] or 0)
    if full == 0 and counts[at] >= tonumber(ARGV[at + 1]) then full = at end
  end
  if full == 0 then
    for at, key in ipairs(KEYS) do
      counts[at] = redis.call('INCRBY', key, ARGV[1])
      redis.call('EXPIRE', key, 120)
    end
  end
  return {full, unpack(counts)}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    take(keyCount: number, ...keysCallsAndLimits: (string | number)[]): Result<number[], Context>;
  }
}

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
      commandTimeout: 5000,
      lazyConnect: true,
      scripts: { take: { lua } },
    });
    let told = false;
    const failed = reporting(log, 'the state of Redis could not be noted');
    this.#redis.on(
      'error',
      guarded(failed, (error) => {
        if (!told) log.warn({ err: error }, 'Redis is away: rate limits are counted by each node alone');
        told = true;
      }),
    );
    this.#redis.on(
      'ready',
      guarded(failed, () => {
        told = false;
      }),
    );
  }

  /** A node also starts without Redis. The script is sent now: the first calls would wait for it, and count alone. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch(() => {});
    await this.#take([unlimited('started')], 0);
  }

  async take(buckets: readonly Bucket[], calls?: number): Promise<Taken> {
    return (await this.#take(buckets, calls)) ?? this.#fallback.take(buckets, calls);
  }

  async hit(key: string): Promise<number> {
    return (await this.take([unlimited(key)])).counts[0]!;
  }

  async hitStrictly(key: string): Promise<number | undefined> {
    return (await this.#ask([unlimited(key)], 1, strictPatienceMs))?.counts[0];
  }

  async #take(buckets: readonly Bucket[], calls = 1): Promise<Taken | undefined> {
    // If Redis does not answer, it is left alone for a moment, or every call would wait for the timeout.
    if (performance.now() < this.#awayUntil) return undefined;
    const taken = await this.#ask(buckets, calls, patienceMs);
    if (!taken) this.#awayUntil = performance.now() + retryAfterMs;
    return taken;
  }

  async #ask(buckets: readonly Bucket[], calls: number, withinMs: number): Promise<Taken | undefined> {
    const { number } = currentWindow();
    const names = buckets.map(({ key }) => `plinth:hits:${number}:${key}`);
    const limits = buckets.map(({ limit }) => limit);
    try {
      const taken = this.#redis.take(names.length, ...names, calls, ...limits);
      const [full = 0, ...counts] = await soon(taken, withinMs);
      return { counts, full: full === 0 ? undefined : full - 1 };
    } catch {
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

/** The answer, if it comes within the time that a call can wait for it. */
async function soon<Answer>(answer: Promise<Answer>, withinMs: number): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  // An answer may have arrived while this process was busy: it is read before the late end comes.
  const giveUp = () => late.reject(new Error('Redis is slow.'));
  const timer = setTimeout(
    guarded(giveUp, () => setImmediate(giveUp)),
    withinMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
