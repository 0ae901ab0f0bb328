import { currentWindow, type WindowCounter } from './window-counter.ts';

/** Counts in this process: for a single node, and as the fallback of a node while Redis is away. */
export class MemoryCounter implements WindowCounter {
  #window = 0;
  #hits = new Map<string, number>();

  async hit(key: string, by?: number): Promise<number> {
    return this.add(key, by);
  }

  add(key: string, by = 1): number {
    const { number } = currentWindow();
    if (number !== this.#window) {
      this.#window = number;
      this.#hits = new Map();
    }
    const count = (this.#hits.get(key) ?? 0) + by;
    this.#hits.set(key, count);
    return count;
  }

  hitStrictly(key: string): Promise<number> {
    return this.hit(key);
  }

  async connect(): Promise<void> {}

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
