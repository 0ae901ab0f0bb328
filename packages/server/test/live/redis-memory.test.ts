// @postgres newest
// @needs redis
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { type LiveApp, liveApp } from './live-app.ts';

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Bytes of everything that Redis keeps of changes. */
async function changeBytes(): Promise<number> {
  const keys = await redis.keys('plinth:changes:*');
  const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
}

const text = 'x'.repeat(900_000);

/** Changes a large document of a project again and again. */
async function churn({ api }: LiveApp['projects'][number]): Promise<void> {
  await api.post('/collections', { name: 'pages' });
  const { body } = await api.post('/collections/pages', { text, n: 0 });
  for (let n = 1; n <= 50; n += 1) {
    const { status } = await api.patch(`/collections/pages/${body.data.id}`, { n });
    expect(status).toBe(200);
  }
}

test('changes of a project that nobody follows take no memory of Redis, and little where somebody does', async () => {
  await using t = await liveApp({ REDIS_URL: server.url });
  // In the same cell: its changes are read from the same log.
  const [followed] = t.projects;
  let quiet = await t.createProject();
  while (quiet.cell !== followed.cell) quiet = await t.createProject();
  await t.api.post('/collections', { name: 'notes' });
  await using client = await t.live();
  await client.subscribe('notes');
  const before = await changeBytes();

  await churn(quiet);
  await t.api.post('/collections/notes', { text: 'one' });
  await client.next('event');
  expect((await changeBytes()) - before).toBeLessThan(10_000);

  // Whoever comes now hears of what happens from now on, and is not sent to read again.
  await using first = await t.live({ 'x-api-key': quiet.apiKey });
  const { cursor } = await first.subscribe('pages');
  await churn(quiet);
  const { document } = await first.next('event', (event) => event.document.n === 50);
  expect(document).toMatchObject({ text });
  expect(first.messages.filter(({ type }) => type === 'resync')).toEqual([]);
  expect((await changeBytes()) - before).toBeLessThan(1_000_000);

  await using again = await t.live({ 'x-api-key': quiet.apiKey });
  await again.subscribe('pages', { since: cursor });
  await again.next('event', (event) => event.document.n === 50);
  expect(again.messages.filter(({ type }) => type === 'resync')).toEqual([]);
});
