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

/** Half of the cores at most: a flood of sign-ins must leave the rest of the service its time. */
const threadCount = Math.max(1, Math.floor(availableParallelism() / 2));
/** Of one project: however many of its passwords are tried, others wait for their own. */
const mostWaiting = 200;
/** Far longer than it takes until those who may wait have had their turn. */
const longestWaitMs = 120_000;

/** Hashes and checks passwords on threads of their own. When all are busy, projects take turns. */
export class PasswordHasher {
  readonly #threads = new ThreadPool<HashJob, string | boolean>({
    module: moduleBeside(import.meta.url, 'hash-worker'),
    count: threadCount,
    isBackground: true,
    turns: new FairSemaphore(threadCount, threadCount, mostWaiting),
    longestWaitMs,
  });
  readonly #dummy = hash('a password that nobody has', options);

  /** Hashes a new password, unless it is one that everybody would try. */
  async hash(projectId: string, password: string): Promise<string> {
    if (isCommonPassword(password)) throw weakPassword();
    const hashed = await this.#run(projectId, { password, options });
    if (typeof hashed !== 'string') throw new Error('A password was not hashed.');
    return hashed;
  }

  /** Whether a password is the one that was hashed. Without a hash it takes the same time and is wrong. */
  async verify(projectId: string, password: string, stored: string | undefined): Promise<boolean> {
    const isRight = await this.#run(projectId, { password, stored: stored ?? (await this.#dummy) });
    return isRight === true && stored !== undefined;
  }

  /** Ends the threads. Call it when nobody waits for a password any more. */
  async stop(): Promise<void> {
    await this.#threads.stop();
  }

  async #run(projectId: string, job: HashJob): Promise<string | boolean> {
    const answer = await this.#threads.run(projectId, job);
    if (answer === undefined) throw tooManyTries(1);
    return answer;
  }
}
