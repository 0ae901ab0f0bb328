import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const watches = `
  const { parentPort } = require('node:worker_threads');
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  parentPort.on('message', () => parentPort.postMessage(delay.percentile(99) / 1e6));
`;

/** A thread that does nothing: how late it is says how busy the machine is. */
export function watchIdleThread() {
  const thread = new Worker(watches, { eval: true });
  return {
    /** The delay that one in a hundred of its timers was late by, or more. */
    async delayMs(): Promise<number> {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      thread.postMessage('ask');
      const [ms] = (await once(thread, 'message')) as [number];
      return ms;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await thread.terminate();
    },
  };
}
