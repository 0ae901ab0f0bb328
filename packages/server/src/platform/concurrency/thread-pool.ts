import type { FairSemaphore } from './fair-semaphore.ts';
import { Thread, type ThreadOptions } from './thread.ts';

interface ThreadPoolOptions extends ThreadOptions {
  readonly count: number;
  /** Who may have how many jobs on the threads at once. */
  readonly turns: FairSemaphore;
  readonly longestWaitMs: number;
}

/** Threads that all do the same, for askers who take turns. */
export class ThreadPool<Job, Answer> {
  readonly #threads: readonly Thread[];
  readonly #turns: FairSemaphore;
  readonly #longestWaitMs: number;

  constructor({ count, turns, longestWaitMs, ...options }: ThreadPoolOptions) {
    this.#threads = Array.from({ length: count }, () => new Thread(options));
    this.#turns = turns;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Has the job done when it is the asker's turn; undefined if that did not come in time. */
  run(asker: string, job: Job): Promise<Answer | undefined> {
    return this.#turns.run(asker, this.#longestWaitMs, () => this.#leastBusy().run(job) as Promise<Answer>);
  }

  /** Ends the threads. Call it when nobody waits for an answer any more. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  #leastBusy(): Thread {
    return this.#threads.reduce((least, thread) => (thread.load < least.load ? thread : least));
  }
}
