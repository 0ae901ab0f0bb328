import type { Client } from '../client.ts';

/**
 * While a call is under way, the longest that the node went on working before it answered another one: in milliseconds
 * of its thread, which is that of the test. What it waits for a core is not its fault.
 */
export async function longestSilence(anonymous: Client, call: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const ended = call.finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  while (!state.isDone) {
    const asked = process.threadCpuUsage();
    await anonymous.get('/healthz');
    const { user, system } = process.threadCpuUsage(asked);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await ended;
  return longest;
}
