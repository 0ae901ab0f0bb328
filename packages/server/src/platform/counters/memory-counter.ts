import { type Window, windowAt } from './window-clock.ts';
import { type Bucket, findFull, type Taken, unlimited, type WindowCounter } from './window-counter.ts';

/** Counts in this process: for a node that is alone. */
export class MemoryCounter implements WindowCounter {
  #window = 0;
  #hits = new Map<string, number>();

  take(buckets: readonly Bucket[], calls = 1): Taken {
    const { number } = this.window();
    if (number !== this.#window) {
      this.#window = number;
      this.#hits = new Map();
    }
    const counts = buckets.map(({ key }) => this.#hits.get(key) ?? 0);
    const full = findFull(buckets, counts);
    if (full !== undefined) return { counts, full };
    for (const [at, { key }] of buckets.entries()) {
      counts[at]! += calls;
      this.#hits.set(key, counts[at]!);
    }
    return { counts };
  }

  async hit(key: string): Promise<number> {
    return this.take([unlimited(key)]).counts[0]!;
  }

  hitStrictly(key: string): Promise<number> {
    return this.hit(key);
  }

  window(): Window {
    return windowAt(Date.now());
  }

  async connect(): Promise<void> {}

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
