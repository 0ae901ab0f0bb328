// @postgres newest
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { isMissing } from '../../support/is-missing.ts';
import { startRedis } from '../../support/redis.ts';
import { engines, type LiveApp, liveApp } from '../live-app.ts';

const long = 'x'.repeat(1_000_000);

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}

/** Until everything that was written has gone through the feed. */
async function settled(t: LiveApp): Promise<void> {
  await using client = await t.live();
  await client.subscribe('marks');
  const { id } = (await t.api.post('/collections/marks', {})).body.data as { id: string };
  await client.next('event', ({ document }) => document.id === id);
}

test.skipIf(isMissing('redis'))('21: small changes of a large document take little of Redis', async () => {
  const server = await startRedis();
  await using t = await liveApp({ REDIS_URL: server.url });
  const redis = new Redis(server.url);
  await t.newCollection('large', { rules: { read: 'public' } });
  await t.newCollection('marks', {});
  const { id } = (await t.api.post('/collections/large', { text: long })).body.data as { id: string };
  await settled(t);
  const before = await usedBytes(redis);
  for (let n = 0; n < 20; n += 1)
    expect((await t.api.patch(`/collections/large/${id}`, { n })).status).toBe(200);
  await settled(t);
  const grown = (await usedBytes(redis)) - before;
  console.log(
    `21: 20 small changes of a document of 1 MB took ${(grown / 1_048_576).toFixed(2)} MB of Redis`,
  );
  expect(grown).toBeLessThan(2 * 1_048_576);
  redis.disconnect();
  await server.stop();
});

describe.each(engines)('21: a large document, %s', (_, overrides) => {
  test('is followed like any other, by its short values', async () => {
    await using t = await liveApp(overrides());
    await t.newCollection('large', { rules: { read: 'owner=ada' } });
    await using client = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    const { cursor } = await client.subscribe('large', { filter: 'state=open' });
    const path = '/collections/large';
    const created = (await t.api.post(path, { owner: 'ada', state: 'open', text: long })).body.data;
    expect(await client.next('event')).toMatchObject({ event: 'created', document: created });
    const changed = (await t.api.patch(`${path}/${created.id}`, { n: 1 })).body.data;
    expect(await client.next('event')).toMatchObject({ event: 'updated', document: changed });
    await t.api.patch(`${path}/${created.id}`, { state: 'closed' });
    expect(await client.next('event')).toMatchObject({ event: 'deleted', document: { id: created.id } });
    const opened = (await t.api.patch(`${path}/${created.id}`, { state: 'open' })).body.data;
    expect(await client.next('event')).toMatchObject({ event: 'created', document: opened });
    await using again = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
    await again.subscribe('large', { filter: 'state=open', since: cursor });
    await again.next('event', ({ event }) => event === 'deleted');
    expect(await again.next('event')).toMatchObject({ event: 'created', document: opened });
    await t.api.delete(`${path}/${created.id}`);
    for (const one of [client, again])
      expect(await one.next('event')).toMatchObject({ event: 'deleted', document: { id: created.id } });
    expect(client.messages.filter(({ type }) => type === 'resync')).toEqual([]);
  });

  test('that is asked for by a long value makes its followers read again', async () => {
    await using t = await liveApp(overrides());
    await t.newCollection('large', { rules: { read: 'public' } });
    await using client = await t.live();
    await client.subscribe('large', { id: 'by-text', filter: 'text__contains=y' });
    await client.subscribe('large', { id: 'by-equal', filter: 'text=y' });
    await client.subscribe('large', { id: 'all' });
    const created = (await t.api.post('/collections/large', { text: long })).body.data;
    for (const id of ['by-text', 'by-equal']) await client.next('resync', (message) => message.id === id);
    expect(await client.next('event')).toMatchObject({ id: 'all', document: { id: created.id } });
  });

  test('a project that fills the feed loses its own past, and is told to read again', async () => {
    await using t = await liveApp({ ...overrides(), FEED_MAX_BYTES: '1048576' });
    await t.newCollection('notes', { rules: { read: 'public' } });
    await t.newCollection('flood', { rules: { read: 'public' } });
    await using client = await t.live();
    const { cursor } = await client.subscribe('notes');
    const text = 'x'.repeat(10_000);
    for (let n = 0; n < 3; n += 1)
      await t.api.post('/collections/flood/batch', {
        documents: Array.from({ length: 100 }, () => ({ text })),
      });
    const { id } = (await t.api.post('/collections/notes', { text: 'last' })).body.data as { id: string };
    await client.next('event', ({ document }) => document.id === id);
    await using back = await t.live();
    await back.subscribe('notes', { since: cursor });
    await back.next('resync');
  });
});
