// @postgres newest
// @needs redis
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { type RequestRecord, RequestTail } from '../../../src/features/control/requests/index.ts';
import { RedisBus } from '../../../src/platform/bus/redis-bus.ts';
import { Client } from '../../support/client.ts';
import { startRedis } from '../../support/redis.ts';
import { type TestApp, testApp } from '../../support/test-app.ts';

const log = pino({ level: 'fatal' });
let t: TestApp;
let bus: RedisBus;
let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  redis = await startRedis();
  t = await testApp({ REDIS_URL: redis.url });
  bus = new RedisBus(redis.url, log);
});
afterAll(async () => {
  await bus.close();
  await t[Symbol.asyncDispose]();
  await redis.stop();
});

test('who watches sees calls of the project on every node, and of no other, until it stops', async () => {
  const other = await t.node();
  const [watched, neighbour] = t.projects;
  const { id: projectId } = await getProject(t.control, watched.ref);
  const ada = { projectId, accountId: 'ada' };
  const stopping = new AbortController();
  const seen: RequestRecord[] = [];
  const watching = (async () => {
    for await (const record of await new RequestTail(bus, log).watch(ada, stopping.signal)) seen.push(record);
  })();
  const elsewhere = new Client(other.url, { 'x-api-key': watched.apiKey });
  // Nodes hear of a watcher a moment after it is there.
  await expect
    .poll(async () => {
      await watched.api.get('/collections');
      await elsewhere.get('/collections/missing');
      return new Set(seen.map(({ status }) => status)).size;
    })
    .toBe(2);
  await neighbour.api.get('/storage/list');
  const { headers } = await watched.api.get('/collections?limit=1');
  await expect
    .poll(() => seen.find(({ id }) => id === headers.get('x-request-id')))
    .toMatchObject({
      at: expect.any(Date),
      route: 'GET /collections',
      query: 'limit=…',
      credential: 'apiKey',
    });
  expect(seen.some(({ route }) => route.includes('storage'))).toBe(false);
  stopping.abort();
  await watching;
  await other.app.stop();
});

test('one account watches in ten windows, and takes none of another', async () => {
  const { id: projectId } = await getProject(t.control, t.projects[0].ref);
  const [ada, grace] = ['ada', 'grace'].map((accountId) => ({ projectId, accountId }));
  const tail = new RequestTail(bus, log);
  const stopping = new AbortController();
  const first = new AbortController();
  await tail.watch(ada!, first.signal);
  for (let n = 1; n < 10; n += 1) await tail.watch(ada!, stopping.signal);
  await expect(tail.watch(ada!, stopping.signal)).rejects.toThrow('Too many watchers');
  await tail.watch(grace!, stopping.signal);
  first.abort();
  await tail.watch(ada!, stopping.signal);
  stopping.abort();
});
