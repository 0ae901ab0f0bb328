import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HashJob } from './hash-worker.ts';

/** A thread that hashes at a lower priority than the rest of the service; it starts with its first job. */
export class HashThread {
  #worker: Worker | undefined;

  async run(job: HashJob): Promise<unknown> {
    this.#worker ??= this.#start();
    const answered = once(this.#worker, 'message');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(job);
    const [answer] = await answered;
    return answer;
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    // The built file ends differently from its source, and so does this one.
    const worker = new Worker(new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url));
    worker.unref();
    worker.on('error', () => {
      this.#worker = undefined;
    });
    return worker;
  }
}
