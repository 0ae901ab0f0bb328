import type { Worker } from 'node:cluster';
import type { NowOrLater } from '../concurrency/now-or-later.ts';
import { guarded } from '../guarded.ts';
import { MemoryCounter } from './memory-counter.ts';
import type { Window } from './window-clock.ts';
import { type Bucket, type Taken, unlimited, type WindowCounter } from './window-counter.ts';

/** The calls of one turn of the event loop, on their way from a process to the one that started it. */
interface Asked {
  readonly calls: [buckets: readonly Bucket[], calls: number][];
  readonly number: number;
}

interface Answered {
  readonly taken: Taken[];
  readonly number: number;
}

/** Counts for the processes of a node that has no Redis. */
export function countFor(worker: Worker, counter: MemoryCounter): void {
  // A process that is not answered is of no use: another one takes its place.
  const failed = () => worker.kill();
  worker.on(
    'message',
    guarded(failed, ({ calls, number }: Partial<Asked>) => {
      // Others send messages too.
      if (!calls || number === undefined) return;
      const taken = calls.map(([buckets, calls]) => counter.take(buckets, calls));
      if (worker.isConnected()) worker.send({ taken, number } satisfies Answered);
    }),
  );
}

/** Counts where all processes of a node count: in the one that started them. */
export class ProcessCounter implements WindowCounter {
  readonly #fallback = new MemoryCounter();
  readonly #asked = new Map<number, Waiting[]>();
  #waiting: Waiting[] = [];
  #number = 0;

  constructor() {
    const alone = () => this.#countAlone();
    process.on(
      'message',
      guarded(alone, ({ taken, number }: Partial<Answered>) => {
        if (!taken || number === undefined) return;
        const waiting = this.#asked.get(number) ?? [];
        this.#asked.delete(number);
        for (const [at, one] of taken.entries()) waiting[at]?.resolve(one);
      }),
    );
    process.on('disconnect', guarded(alone, alone));
  }

  take(buckets: readonly Bucket[], calls = 1): NowOrLater<Taken> {
    if (!process.connected) return this.#fallback.take(buckets, calls);
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#ask());
      this.#waiting.push({ buckets, calls, resolve });
    });
  }

  async hit(key: string): Promise<number> {
    return (await this.take([unlimited(key)])).counts[0]!;
  }

  hitStrictly(key: string): Promise<number> {
    return this.hit(key);
  }

  #ask(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#number += 1;
    this.#asked.set(this.#number, waiting);
    const asked: Asked = {
      calls: waiting.map(({ buckets, calls }) => [buckets, calls]),
      number: this.#number,
    };
    process.send?.(asked, (error: Error | null) => error && this.#countAlone());
  }

  /** The other process is gone, and this one is about to end too. */
  #countAlone(): void {
    const waiting = [...this.#asked.values()].flat();
    this.#asked.clear();
    for (const { buckets, calls, resolve } of waiting) resolve(this.#fallback.take(buckets, calls));
  }

  window(): Window {
    return this.#fallback.window();
  }

  async connect(): Promise<void> {}

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}

interface Waiting {
  readonly buckets: readonly Bucket[];
  readonly calls: number;
  readonly resolve: (taken: Taken) => void;
}
