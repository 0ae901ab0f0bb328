import type { ClockReading } from '../clock/clock-reading.ts';
import { andThen, type NowOrLater } from '../concurrency/now-or-later.ts';
import { guarded } from '../guarded.ts';
import type { Window } from './window-clock.ts';
import { type Bucket, findFull, type Taken, unlimited, type WindowCounter } from './window-counter.ts';

/** From this limit on a bucket is counted by each process, and reported. */
const largeLimit = 10_000;
const reportEveryMs = 20;

/**
 * Spares the shared counter the load of busy callers. Small buckets are counted one by one, so that small limits are
 * exact. Of large ones this process adds up its own calls and reports them every 20 ms: its counts lack what other
 * processes have counted meanwhile, a few hundred of 10,000 or more.
 */
export class BusyCounter implements WindowCounter {
  readonly #shared: WindowCounter;
  #window = 0;
  #large = new Map<string, LargeBucket>();
  #unreported = new Map<string, LargeBucket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(shared: WindowCounter) {
    this.#shared = shared;
  }

  take(buckets: readonly Bucket[]): NowOrLater<Taken> {
    this.#beginWindow();
    const small = buckets.filter(({ limit }) => limit < largeLimit);
    const counts = buckets.map((bucket) => (isLarge(bucket) ? this.#countOf(bucket.key) : 0));
    const full = findFull(buckets, counts);
    if (full !== undefined) return { counts, full };
    if (small.length === 0) return { counts: buckets.map(({ key }) => this.#add(key)) };
    return andThen(this.#shared.take(small), (taken) => {
      const isTaken = taken.full === undefined;
      const ofSmall = taken.counts.values();
      return {
        counts: buckets.map((bucket) => {
          if (!isLarge(bucket)) return ofSmall.next().value ?? 0;
          return isTaken ? this.#add(bucket.key) : this.#countOf(bucket.key);
        }),
        full: isTaken ? undefined : buckets.indexOf(small[taken.full]!),
      };
    });
  }

  hit(key: string): Promise<number> {
    return this.#shared.hit(key);
  }

  hitStrictly(key: string): Promise<number | undefined> {
    return this.#shared.hitStrictly(key);
  }

  get clock(): ClockReading | undefined {
    return this.#shared.clock;
  }

  get processes(): number {
    return this.#shared.processes ?? 1;
  }

  get isFull(): boolean {
    return this.#shared.isFull ?? false;
  }

  window(): Window {
    return this.#shared.window();
  }

  #beginWindow(): void {
    const { number } = this.#shared.window();
    if (number === this.#window) return;
    this.#window = number;
    this.#large = new Map();
  }

  #countOf(key: string): number {
    const known = this.#large.get(key);
    return known ? known.total + known.reporting + known.unreported : 0;
  }

  #add(key: string): number {
    const known = this.#large.get(key) ?? { total: 0, reporting: 0, unreported: 0 };
    known.unreported += 1;
    this.#large.set(key, known);
    this.#unreported.set(key, known);
    // What could not be reported now is counted by this process alone.
    this.#timer ??= setTimeout(
      guarded(
        () => {},
        () => this.#report(),
      ),
      reportEveryMs,
    );
    return this.#countOf(key);
  }

  #report(): void {
    this.#timer = undefined;
    const unreported = this.#unreported;
    this.#unreported = new Map();
    for (const [key, bucket] of unreported) void this.#reportOf(key, bucket);
  }

  async #reportOf(key: string, bucket: LargeBucket): Promise<void> {
    const sent = bucket.unreported;
    bucket.reporting += sent;
    bucket.unreported = 0;
    const { counts } = await this.#shared.take([unlimited(key)], sent);
    bucket.reporting -= sent;
    bucket.total = Math.max(bucket.total, counts[0]! - bucket.reporting);
  }

  connect(): Promise<void> {
    return this.#shared.connect();
  }

  check(): Promise<void> {
    return this.#shared.check();
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#shared.close();
  }
}

const isLarge = ({ limit }: Bucket) => limit >= largeLimit;

interface LargeBucket {
  /** What all processes had counted at the last report. */
  total: number;
  /** Calls in reports that are not answered yet. */
  reporting: number;
  unreported: number;
}
