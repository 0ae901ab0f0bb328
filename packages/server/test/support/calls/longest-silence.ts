import type { Client } from '../client.ts';

/** While a call is under way, the longest time that the node left another one without an answer. */
export async function longestSilence(anonymous: Client, call: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const ended = call.finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  while (!state.isDone) {
    const asked = performance.now();
    await anonymous.get('/healthz');
    longest = Math.max(longest, performance.now() - asked);
  }
  await ended;
  return longest;
}
