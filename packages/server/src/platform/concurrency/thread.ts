import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { guarded } from '../guarded.ts';

export interface ThreadOptions {
  /** What runs on it: it says with `answerJobs` what it does with a job. */
  readonly module: URL;
  /** It takes what the rest of the service leaves. */
  readonly isBackground?: boolean;
  /** A job that takes longer ends the thread. */
  readonly longestMs?: number;
  /** A job that takes more memory ends the thread. */
  readonly memory?: ResourceLimits;
}

/** A job took so long, or so much memory, that its thread was ended. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface Job {
  readonly content: unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that does jobs in their order. It starts with the first; if one ends it, another goes on with the next. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #jobs: Job[] = [];
  #worker: Worker | undefined;
  /** Until it has started, no time of a job is counted. */
  #isOnline = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** How many jobs it has. */
  get load(): number {
    return this.#jobs.length;
  }

  run(content: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ content, resolve, reject });
      this.#worker ??= this.#start();
      post(this.#worker, content);
      if (this.#jobs.length === 1) this.#watch();
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { module, isBackground = false, memory } = this.#options;
    const worker = new Worker(module, {
      workerData: { isBackground },
      ...(memory && { resourceLimits: memory }),
    });
    worker.unref();
    const failed = (error: unknown) => this.#replace(worker, error);
    this.#isOnline = false;
    worker.on(
      'online',
      guarded(failed, () => {
        if (worker !== this.#worker) return;
        this.#isOnline = true;
        this.#watch();
      }),
    );
    worker.on(
      'message',
      guarded(failed, (answer) => {
        if (worker !== this.#worker) return;
        this.#jobs.shift()?.resolve(answer);
        this.#watch();
      }),
    );
    let cause: unknown;
    worker.on(
      'error',
      guarded(failed, (error) => {
        cause = error;
      }),
    );
    // Comes after the answers that it gave before; the error may come first, and would be taken for that of an earlier job.
    worker.on(
      'exit',
      guarded(failed, () => this.#replace(worker, cause)),
    );
    return worker;
  }

  /** Ends the thread if the job that it is at takes too long. */
  #watch(): void {
    clearTimeout(this.#timer);
    const { longestMs } = this.#options;
    const worker = this.#worker;
    if (longestMs === undefined || !worker || !this.#isOnline || this.#jobs.length === 0) return;
    const end = () => {
      this.#replace(worker);
      return worker.terminate();
    };
    this.#timer = setTimeout(
      guarded(() => {}, end),
      longestMs,
    ).unref();
  }

  /** The job that it was at has failed; those behind it have not begun. */
  #replace(ended: Worker, cause?: unknown): void {
    if (ended !== this.#worker) return;
    this.#worker = undefined;
    this.#jobs.shift()?.reject(new ThreadEnded('A thread ended before it answered.', { cause }));
    if (this.#jobs.length > 0) {
      this.#worker = this.#start();
      for (const { content } of this.#jobs) post(this.#worker, content);
    }
    this.#watch();
  }
}

function post(worker: Worker, content: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(content);
}

/** The module of that name in the same folder. The built file ends differently from its source, and so does this one. */
export function moduleBeside(url: string, name: string): URL {
  return new URL(`./${name}${extname(url)}`, url);
}
