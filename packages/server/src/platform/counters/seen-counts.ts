import { LRUCache } from 'lru-cache';
import { upTo } from '../up-to.ts';
import type { WindowClock } from './window-clock.ts';
import { type Bucket, findFull, type Taken } from './window-counter.ts';

/** So many keys are remembered of a minute. Those that are forgotten were rarely seen, and so hold little. */
const mostKeys = 50_000;

/** What this process knows of the counts of all nodes in the current window. */
export class SeenCounts {
  readonly #clock: WindowClock;
  readonly #counts = new LRUCache<string, number>(upTo(mostKeys));
  #window = 0;

  constructor(clock: WindowClock) {
    this.#clock = clock;
  }

  /** The window, and what each of its buckets held when it was last heard of. */
  current(buckets: readonly Bucket[]): { window: number; counts: number[] } {
    const { number } = this.#clock.current();
    if (number !== this.#window) {
      this.#window = number;
      this.#counts.clear();
    }
    return { window: number, counts: buckets.map(({ key }) => this.#counts.get(key) ?? 0) };
  }

  note(buckets: readonly Bucket[], counts: readonly number[]): void {
    this.current([]);
    for (const [at, { key }] of buckets.entries()) this.#counts.set(key, counts[at] ?? 0);
  }

  /**
   * Counts without the others, from what was last known of their counts. Each of these processes is taken to do as much
   * as this one meanwhile, so that together they stay within the limit.
   */
  takeAlone(buckets: readonly Bucket[], calls: number, processes: number): Taken {
    const { counts } = this.current(buckets);
    const full = findFull(buckets, counts);
    if (full !== undefined) return { counts, full };
    const taken = counts.map((count) => count + calls * processes);
    this.note(buckets, taken);
    return { counts: taken };
  }
}
