import type { Worker } from 'node:cluster';
import { MemoryCounter } from './memory-counter.ts';
import type { WindowCounter } from './window-counter.ts';

/** The hits of one turn of the event loop, on their way from a process to the one that started it. */
interface Asked {
  readonly hits: [key: string, by: number][];
  readonly number: number;
}

interface Answered {
  readonly counts: number[];
  readonly number: number;
}

/** Counts for the processes of a node that has no Redis. */
export function countFor(worker: Worker, counter: MemoryCounter): void {
  worker.on('message', ({ hits, number }: Asked) => {
    const counts = hits.map(([key, by]) => counter.add(key, by));
    if (worker.isConnected()) worker.send({ counts, number } satisfies Answered);
  });
}

/** Counts where all processes of a node count: in the one that started them. */
export class ProcessCounter implements WindowCounter {
  readonly #fallback = new MemoryCounter();
  readonly #asked = new Map<number, Waiting[]>();
  #waiting: Waiting[] = [];
  #number = 0;

  constructor() {
    process.on('message', ({ counts, number }: Answered) => {
      const waiting = this.#asked.get(number) ?? [];
      this.#asked.delete(number);
      for (const [at, count] of counts.entries()) waiting[at]?.resolve(count);
    });
    process.on('disconnect', () => this.#countAlone());
  }

  hit(key: string, by = 1): Promise<number> {
    if (!process.connected) return this.#fallback.hit(key, by);
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#ask());
      this.#waiting.push({ key, by, resolve });
    });
  }

  hitStrictly(key: string): Promise<number> {
    return this.hit(key);
  }

  #ask(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#number += 1;
    this.#asked.set(this.#number, waiting);
    const asked: Asked = { hits: waiting.map(({ key, by }) => [key, by]), number: this.#number };
    process.send?.(asked, (error: Error | null) => error && this.#countAlone());
  }

  /** The other process is gone, and this one is about to end too. */
  #countAlone(): void {
    const waiting = [...this.#asked.values()].flat();
    this.#asked.clear();
    for (const { key, by, resolve } of waiting) void this.#fallback.hit(key, by).then(resolve);
  }

  async connect(): Promise<void> {}

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}

interface Waiting {
  readonly key: string;
  readonly by: number;
  readonly resolve: (count: number) => void;
}
