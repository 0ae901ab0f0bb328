// @postgres newest
// @needs redis
import { expect, inject, test } from 'vitest';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { type LiveApp, liveApp } from './live-app.ts';

/** A node of its own that reads the change feed, and another that would like to; a subscriber at the other. */
async function twoNodes(t: LiveApp) {
  const REDIS_URL = inject('redisUrl');
  await t.api.post('/collections', { name: 'notes' });
  // Otherwise it might be this one that reads.
  await t.app.stop();
  const holder = await startNodeOf(t, { REDIS_URL });
  const first = await t.live(undefined, holder.url);
  await first.subscribe('notes');
  const other = await startNodeOf(t, { REDIS_URL });
  const client = await t.live(undefined, other.url);
  await client.subscribe('notes');
  /** From now until a change that is made now arrives. */
  const delay = async () => {
    const startedAt = performance.now();
    await t.apiOn(other.url).post('/collections/notes', { at: startedAt });
    await client.next('event', ({ document }) => document.at === startedAt, 20_000);
    return performance.now() - startedAt;
  };
  await delay();
  return {
    holder: holder.process,
    delay,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await holder.process[Symbol.asyncDispose]();
      await other.process[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}

test.each([['SIGKILL'], ['SIGSTOP']] as const)(
  'a node that gets %s while it reads the change feed is replaced within 5 s',
  async (signal) => {
    await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
    await using nodes = await twoNodes(t);
    nodes.holder.signal(signal);
    const tookMs = await nodes.delay();
    console.log(`${signal}: the next change arrived after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(5000);
  },
);
