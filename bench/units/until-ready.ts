import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../http.ts';

const longestMs = 60_000;

/** Resolves when all indexes of a collection are built. */
export async function untilReady(url: string, apiKey: string): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    const { data } = JSON.parse(await call(url, apiKey)) as { data: { state: string }[] };
    if (data.every(({ state }) => state === 'ready')) return;
    await sleep(100);
  }
  throw new Error('An index was not built in time.');
}
