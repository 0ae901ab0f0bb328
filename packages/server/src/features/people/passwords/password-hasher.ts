import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { moduleBeside } from '../../../platform/concurrency/thread.ts';
import { ThreadPool } from '../../../platform/concurrency/thread-pool.ts';
import { tooManyTries } from '../sessions/index.ts';
import { isCommonPassword } from './common-passwords.ts';
import { weakPassword } from './errors.ts';
import type { HashJob } from './hash-worker.ts';

// Argon2id, 19 MiB, two passes: about 30 ms of one core.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const ownForm = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`;

/** Half of the cores at most: a flood of sign-ins must leave the rest of the service its time. */
const threadCount = Math.max(1, Math.floor(availableParallelism() / 2));
/** Of one project: however many of its passwords are tried, others wait for their own. */
const mostWaiting = 200;
/** Far longer than it takes until those who may wait have had their turn. */
const longestWaitMs = 120_000;

/** Fewer, because each may take a second. */
const mostForeignWaiting = 50;

const threads = (count: number, mostWaiting: number) =>
  new ThreadPool<HashJob, string | boolean>({
    module: moduleBeside(import.meta.url, 'hash-worker'),
    count,
    isBackground: true,
    turns: new FairSemaphore(count, count, mostWaiting),
    longestWaitMs,
  });

/** Hashes and checks passwords on threads of their own. When all are busy, projects take turns. */
export class PasswordHasher {
  readonly #threads = threads(threadCount, mostWaiting);
  /** What other services have hashed may take far longer than our own. Nobody else waits for that. */
  readonly #foreignThread = threads(1, mostForeignWaiting);
  readonly #dummy = hash('a password that nobody has', options);

  /** Hashes a new password, unless it is one that everybody would try. */
  async hash(projectId: string, password: string): Promise<string> {
    if (isCommonPassword(password)) throw weakPassword();
    return this.hashKnown(projectId, password);
  }

  /** Hashes a password that somebody has already. */
  async hashKnown(projectId: string, password: string): Promise<string> {
    const hashed = await run(this.#threads, projectId, { password, options });
    if (typeof hashed !== 'string') throw new Error('A password was not hashed.');
    return hashed;
  }

  /** Whether a password is the one that was hashed. Without a hash it takes the same time and is wrong. */
  async verify(projectId: string, password: string, stored: string | undefined): Promise<boolean> {
    const threads = stored !== undefined && isForeign(stored) ? this.#foreignThread : this.#threads;
    const isRight = await run(threads, projectId, { password, stored: stored ?? (await this.#dummy) });
    return isRight === true && stored !== undefined;
  }

  /** Ends the threads. Call it when nobody waits for a password any more. */
  async stop(): Promise<void> {
    await Promise.all([this.#threads.stop(), this.#foreignThread.stop()]);
  }
}

/** Whether another service has made a hash, or we would make it otherwise today. */
export function isForeign(stored: string): boolean {
  return !stored.startsWith(ownForm);
}

async function run(
  threads: ThreadPool<HashJob, string | boolean>,
  projectId: string,
  job: HashJob,
): Promise<string | boolean> {
  const answer = await threads.run(projectId, job);
  if (answer === undefined) throw tooManyTries(1);
  return answer;
}
