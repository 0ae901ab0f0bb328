import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { isMissing } from '../support/is-missing.ts';
import { startRedis } from '../support/redis.ts';
import { engines, type LiveApp, liveApp } from './live-app.ts';

const cellOf = (t: LiveApp) => t.cells.pool(t.projects[0].cell);

/** Ends whoever reads the slot, and drops it while nobody does. */
async function loseSlot(t: LiveApp): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { rows } = await cellOf(t).query<{ slot_name: string; active_pid: number | null }>(
      'SELECT slot_name, active_pid FROM pg_replication_slots WHERE database = current_database()',
    );
    const [slot] = rows;
    if (slot!.active_pid !== null)
      await cellOf(t).query('SELECT pg_terminate_backend($1)', [slot!.active_pid]);
    try {
      await cellOf(t).query('SELECT pg_drop_replication_slot($1)', [slot!.slot_name]);
      return;
    } catch {
      // It was taken up again in between.
    }
  }
  throw new Error('The slot could not be dropped.');
}

describe.each(engines)('faults of the feed, %s', (_, overrides) => {
  test('a slot that was lost leads to resync, never to silence', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    const { cursor } = await client.subscribe('notes');
    await loseSlot(t);
    const lost = await t.api.post('/collections/notes', { text: 'while nothing was kept' });
    expect(lost.status).toBe(201);
    await client.next('resync');
    await t.api.post('/collections/notes', { text: 'afterwards' });
    await client.next('event', ({ document }) => document.text === 'afterwards');
    await using late = await t.live();
    await late.subscribe('notes', { since: cursor });
    await late.next('resync');
  });

  test('the reader of the log is cut off, and nothing is missed', async () => {
    await using t = await liveApp(overrides());
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    await client.subscribe('notes');
    for (let n = 0; n < 10; n += 1) {
      await t.api.post('/collections/notes', { n });
      await cellOf(t).query(
        'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = current_database() AND active',
      );
    }
    for (let n = 0; n < 10; n += 1) expect((await client.next('event')).document.n).toBe(n);
    expect(client.messages.filter(({ type }) => type === 'resync')).toEqual([]);
  });
});

test('without Redis, a cursor outlives the process', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  const first = await t.node();
  await t.app.stop();
  const headers = { 'x-api-key': t.projects[0].apiKey };
  let cursor: string;
  {
    await using client = await t.live(headers, first.url);
    ({ cursor } = await client.subscribe('notes'));
    await t.apiOn(first.url).post('/collections/notes', { text: 'one' });
    await client.next('event');
  }
  await t.apiOn(first.url).post('/collections/notes', { text: 'two' });
  await first.app.stop();
  const second = await t.node();
  await t.apiOn(second.url).post('/collections/notes', { text: 'three' });
  await using client = await t.live(headers, second.url);
  await client.subscribe('notes', { since: cursor });
  const texts = [await client.next('event'), await client.next('event'), await client.next('event')];
  expect(texts.map(({ document }) => document.text)).toEqual(['one', 'two', 'three']);
});

test('without Redis, a second node says that it cannot receive changes', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  await using client = await t.live();
  await client.subscribe('notes');
  const other = await t.node();
  await using deaf = await t.live(undefined, other.url);
  const { code, message } = await deaf.refusal({ type: 'subscribe', id: 'a', collection: 'notes' });
  expect(code).toBe('engine_unavailable');
  expect(message).toMatch(/REDIS_URL/);
});

test('a role that may not replicate is told of, and nothing else is kept from working', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  const { config } = t;
  const plain = `plain_${Date.now()}`;
  for (const cell of t.cells.numbers) {
    await t.cells.pool(cell).query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${plain}') THEN
        CREATE ROLE ${plain} LOGIN PASSWORD 'plain' IN ROLE pg_read_all_data, pg_write_all_data;
      END IF;
      GRANT ALL ON ALL FUNCTIONS IN SCHEMA cell, graphile_worker TO ${plain};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA cell, graphile_worker TO ${plain};
    END $$`);
  }
  const asPlain = (text: string) => text.replaceAll(/\/\/[^@]*@/g, `//${plain}:plain@`);
  const other = await t.node({
    DATABASE_URL: asPlain(config.DATABASE_URL),
    CELL_DATABASE_URLS: asPlain(config.CELL_DATABASE_URLS),
    JOB_CONCURRENCY: '0',
  });
  await t.app.stop();
  await using client = await t.live(undefined, other.url);
  const { code, message } = await client.refusal({ type: 'subscribe', id: 'a', collection: 'notes' });
  expect(code).toBe('engine_unavailable');
  expect(message).toMatch(/REPLICATION/);
  expect((await t.apiOn(other.url).get('/collections/notes')).status).toBe(200);
});

test.skipIf(isMissing('redis'))(
  'H6: Redis that loses everything, or is away for a while, costs a resync and no silence',
  async () => {
    const server = await startRedis();
    await using t = await liveApp({ REDIS_URL: server.url });
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    await client.subscribe('notes');
    await t.api.post('/collections/notes', { text: 'one' });
    await client.next('event');
    const redis = new Redis(server.url);
    await redis.flushall();
    redis.disconnect();
    await t.api.post('/collections/notes', { text: 'two' });
    await client.next('resync');
    await t.api.post('/collections/notes', { text: 'three' });
    await client.next('event', ({ document }) => document.text === 'three');
    await server.stop();
  },
);

test('how far behind the feed is stands in /readyz and /metrics', async () => {
  await using t = await liveApp();
  await t.api.post('/collections', { name: 'notes' });
  const name = `changes of cell ${t.projects[0].cell}`;
  await using client = await t.live();
  await client.subscribe('notes');
  await t.api.post('/collections/notes', { text: 'one' });
  await client.next('event');
  await expect.poll(async () => (await t.admin.get('/readyz')).body.engines?.[name]).toBe('ok');
  const { text, headers } = await t.admin.get('/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toMatch(/^plinth_change_feed_lag_bytes\{cell="1"\} \d+$/m);
  expect(text).toMatch(/^plinth_change_feed_lag_seconds\{cell="1"\} 0(\.\d+)?$/m);
  expect(text).toMatch(/^plinth_realtime_connections 1$/m);
});

test('two nodes on one Redis: what is written through one arrives at the other, also by cursor', async () => {
  await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
  await t.api.post('/collections', { name: 'notes' });
  const other = await t.node();
  await using here = await t.live();
  await using there = await t.live(undefined, other.url);
  const { cursor } = await here.subscribe('notes');
  await there.subscribe('notes');
  await t.api.post('/collections/notes', { text: 'one' });
  await t.apiOn(other.url).post('/collections/notes', { text: 'two' });
  for (const client of [here, there]) {
    expect((await client.next('event')).document.text).toBe('one');
    expect((await client.next('event')).document.text).toBe('two');
  }
  await there.subscribe('notes', { id: 'again', since: cursor });
  await there.next('event', ({ id, document }) => id === 'again' && document.text === 'one');
  await t.app.stop();
  expect((await here.closed).code).toBe(1012);
  await t.apiOn(other.url).post('/collections/notes', { text: 'three' });
  await there.next('event', ({ id, document }) => id === 'again' && document.text === 'three');
});
