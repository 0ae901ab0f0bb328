// @postgres newest
// @needs redis
import { expect, inject, test } from 'vitest';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { type LiveApp, liveApp } from './live-app.ts';

/** Far more than it takes, and less than the 15 s after which every node looks once in any case. */
const latestMs = 12_000;

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
    await client.next('event', ({ document }) => document.at === startedAt);
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
  'a node that gets %s while it reads the change feed is replaced within seconds',
  async (signal) => {
    await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
    await using nodes = await twoNodes(t);
    nodes.holder.signal(signal);
    const tookMs = await nodes.delay();
    console.log(`${signal}: the next change arrived after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(latestMs);
  },
);

test('a slot that is gone with its server is made again at once, also where no lease is held', async () => {
  const REDIS_URL = inject('redisUrl');
  await using t = await liveApp({ REDIS_URL });
  await t.api.post('/collections', { name: 'notes' });
  // These two hold the leases, and nobody subscribes there.
  await t.node();
  const maker = await startNodeOf(t, { REDIS_URL });
  const first = await t.live(undefined, maker.url);
  await first.subscribe('notes');
  const other = await t.node();
  await using client = await t.live(undefined, other.url);
  await client.subscribe('notes');
  await maker.process[Symbol.asyncDispose]();
  const pool = t.cells.pool(t.projects[0].cell);
  const name = `'plinth_' || (SELECT oid FROM pg_database WHERE datname = current_database())`;
  // As after a failover to a standby that has no slot: all connections end, and it is not there.
  await expect
    .poll(
      async () => {
        await pool.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        return pool.query(`SELECT pg_drop_replication_slot(${name})`).then(
          () => 'dropped',
          (error: unknown) => String(error),
        );
      },
      { interval: 20 },
    )
    .toBe('dropped');
  const goneAt = performance.now();
  const found = async () => {
    const { rows } = await pool.query(`SELECT FROM pg_replication_slots WHERE slot_name = ${name}`);
    return rows.length;
  };
  await expect.poll(found).toBe(1);
  const tookMs = performance.now() - goneAt;
  console.log(`The slot was made again after ${tookMs.toFixed(0)} ms`);
  expect(tookMs).toBeLessThan(latestMs);
});
