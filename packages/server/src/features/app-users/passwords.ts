import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hash } from '@node-rs/argon2';
import { tooManyTries } from './errors.ts';
import type { HashJob } from './hash-worker.ts';

// Argon2id, 19 MiB, two passes: about 30 ms of one core.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const maxWaiting = 500;
const dummy = hash('a password that nobody has', options);

/** A thread that hashes at a lower priority than the rest of the service; it starts with its first job. */
class HashThread {
  #worker: Worker | undefined;

  async run(job: HashJob): Promise<unknown> {
    this.#worker ??= this.#start();
    const answered = once(this.#worker, 'message');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(job);
    const [answer] = await answered;
    return answer;
  }

  #start(): Worker {
    // The source and the build of the file end differently, like this one's.
    const worker = new Worker(new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url));
    worker.unref();
    worker.on('error', () => {
      this.#worker = undefined;
    });
    return worker;
  }
}

/** Half of the cores at most: a flood of logins must leave the rest of the service its time. */
const idle = Array.from(
  { length: Math.max(1, Math.floor(availableParallelism() / 2)) },
  () => new HashThread(),
);
const waiting: ((thread: HashThread) => void)[] = [];

export async function hashPassword(password: string): Promise<string> {
  return (await inTurn({ password, options })) as string;
}

/** Checks a password; without a stored hash it takes the same time and is wrong. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const isRight = await inTurn({ password, stored: stored ?? (await dummy) });
  return isRight === true && stored !== undefined;
}

async function inTurn(job: HashJob): Promise<unknown> {
  const thread = idle.pop() ?? (await nextTurn());
  try {
    return await thread.run(job);
  } finally {
    const next = waiting.shift();
    if (next) next(thread);
    else idle.push(thread);
  }
}

function nextTurn(): Promise<HashThread> {
  if (waiting.length >= maxWaiting) throw tooManyTries(1);
  return new Promise((turn) => {
    waiting.push(turn);
  });
}
