import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** What a thread is asked: to hash a password, or to compare one with a stored hash. */
export type HashJob =
  | { readonly password: string; readonly options: Options }
  | { readonly password: string; readonly stored: string };

// Linux gives each thread a priority of its own; elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const port = parentPort;
port?.on('message', (job: HashJob) => {
  const answer = 'stored' in job ? verifySync(job.stored, job.password) : hashSync(job.password, job.options);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(answer);
});
