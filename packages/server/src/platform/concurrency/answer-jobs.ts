import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** Says what the thread that this runs on does with its jobs. */
export function answerJobs<Job, Answer>(answer: (job: Job) => Answer): void {
  const port = parentPort;
  if (!port) throw new Error('Jobs are answered on a thread of their own.');
  const { isBackground } = workerData as { isBackground: boolean };
  // Linux gives each thread a priority of its own; elsewhere this would slow the whole process down.
  if (isBackground && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.on('message', (job: Job) => port.postMessage(answer(job)));
}
