import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type ClockReading, compareClocks } from '../clock/clock-reading.ts';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import { createRedis } from '../redis/create-redis.ts';
import { LateAnswer, soon } from '../redis/soon.ts';
import { counterScripts } from './redis-scripts.ts';
import { SeenCounts } from './seen-counts.ts';
import { type Window, WindowClock } from './window-clock.ts';
import { type Bucket, type Taken, unlimited, type WindowCounter } from './window-counter.ts';

const beatEveryMs = 5000;
/** Who was not heard of for so long counts no more. */
const processLifeMs = 15_000;
/** If Redis does not answer, it is left alone but for one question now and then: else every call would wait for it. */
const askAgainMs = 500;
/** What must not be counted alone waits until it is certain that Redis is away, and not only slow. */
const strictPatienceMs = 500;
/** A connection on which nothing comes back is given up. */
const silentMs = 2000;

/**
 * Counts of all nodes together, in minutes of the clock of Redis. While Redis is away each process counts its part alone,
 * and when it is back it is told what was counted meanwhile: `take` never fails.
 */
export class RedisCounter implements WindowCounter {
  readonly #redis: Redis;
  readonly #log: Log;
  readonly #id = randomUUID();
  readonly #windows = new WindowClock();
  readonly #seen = new SeenCounts(this.#windows);
  processes = 1;
  #fault: Error | undefined;
  #isDoubted = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The clock of Redis, as it was last read. */
  clock: ClockReading | undefined;

  constructor(url: string, log: Log) {
    this.#log = log;
    this.#redis = createRedis(url, {
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: silentMs,
      scripts: counterScripts,
    });
    // Whatever was asked fails by itself.
    this.#redis.on('error', (error) => log.debug({ err: error }, 'the counters are waiting for Redis'));
  }

  /** A node also starts without Redis. The script is sent now: the first calls would wait for it, and count alone. */
  async connect(): Promise<void> {
    await soon(this.#redis.connect(), silentMs).catch(() => {});
    await this.#beat();
    await this.#ask([unlimited('started')], 0);
  }

  async take(buckets: readonly Bucket[], calls = 1): Promise<Taken> {
    return (await this.#ask(buckets, calls)) ?? this.#seen.takeAlone(buckets, calls, this.processes);
  }

  async hit(key: string): Promise<number> {
    return (await this.take([unlimited(key)])).counts[0]!;
  }

  async hitStrictly(key: string): Promise<number | undefined> {
    return (await this.#ask([unlimited(key)], 1, strictPatienceMs))?.counts[0];
  }

  window(): Window {
    return this.#windows.current();
  }

  get isFull(): boolean {
    return this.#fault?.message.startsWith('OOM') ?? false;
  }

  async check(): Promise<void> {
    if (this.#fault && !this.isFull) throw this.#fault;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // The others share what this one no longer takes.
    if (!this.#fault) await soon(this.#redis.zrem(processesKey, this.#id)).catch(() => {});
    this.#redis.disconnect();
  }

  async #ask(buckets: readonly Bucket[], calls: number, withinMs?: number): Promise<Taken | undefined> {
    if (this.#fault) return undefined;
    const names = buckets.map(({ key }) => `plinth:hits:${key}`);
    const limits = buckets.map(({ limit }) => limit);
    const { window, counts: seen } = this.#seen.current(buckets);
    try {
      const answer = this.#redis.take(names.length, ...names, calls, window, ...limits, ...seen);
      const [full = 0, now = 0, ...counts] = await soon(answer, withinMs);
      this.#windows.hear(now);
      this.#seen.note(buckets, counts);
      return { counts, full: full === 0 ? undefined : full - 1 };
    } catch (error) {
      if (error instanceof LateAnswer) this.#doubt();
      else this.#left(error);
      return undefined;
    }
  }

  /** One answer was late: if the next one is too, Redis is away. */
  #doubt(): void {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    void this.#beat().finally(() => {
      this.#isDoubted = false;
    });
  }

  /** Says that this process counts, hears how many do, and reads the clock; finds out whether Redis is back. */
  async #beat(): Promise<void> {
    const askedAt = Date.now();
    try {
      const [now, processes] = await soon(this.#redis.beat(processesKey, this.#id, processLifeMs));
      this.clock = compareClocks(now, askedAt);
      this.#windows.hear(now);
      this.processes = processes;
      if (this.#fault) this.#log.info('Redis is back: rate limits are counted across processes again');
      this.#fault = undefined;
    } catch (error) {
      this.#left(error);
    }
    this.#beatIn(this.#fault ? askAgainMs : beatEveryMs);
  }

  #beatIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const failed = reporting(this.#log, 'the counters could not check for Redis');
    this.#timer = setTimeout(
      guarded(failed, () => this.#beat()),
      ms,
    ).unref();
  }

  #left(error: unknown): void {
    if (this.#isClosed) return;
    const isNews = !this.#fault;
    // The latest one tells what is wrong now: a Redis that was away may come back full.
    this.#fault = error instanceof Error ? error : new Error(String(error));
    if (!isNews) return;
    const why = this.isFull
      ? 'Redis is full: raise its maxmemory, or lower FEED_MAX_BYTES'
      : 'Redis is unavailable';
    this.#log.warn(
      { err: this.#fault, processes: this.processes },
      `${why}; until it accepts counters again, each process enforces its own share of the rate limits`,
    );
    this.#beatIn(askAgainMs);
  }
}

const processesKey = 'plinth:processes';
