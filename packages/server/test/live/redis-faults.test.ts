// @postgres newest
// @needs redis
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hammer } from '../support/calls/hammer.ts';
import { type RedisServer, startRedis, startSentinel } from '../support/redis.ts';
import { type LiveApp, liveApp } from './live-app.ts';

const countersOf = async (t: LiveApp): Promise<unknown> =>
  (await t.admin.get('/readyz')).body.engines?.counters;

const person = { email: 'ada@example.com', password: 'correct horse battery' };

async function timed<Answer>(call: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const sentAt = performance.now();
  return { answer: await call, ms: performance.now() - sentAt };
}

describe('a Redis that is paused, or full', () => {
  let redis: RedisServer;
  let t: LiveApp;
  beforeAll(async () => {
    redis = await startRedis();
    t = await liveApp({ REDIS_URL: redis.url });
    await t.api.post('/collections', { name: 'notes' });
    await t.api.post('/auth-collections/signup', person);
  });
  afterAll(async () => {
    await t[Symbol.asyncDispose]();
    redis.signal('SIGCONT');
    await redis.stop();
  });

  /** What is promised while Redis takes nothing. */
  async function expectService(): Promise<void> {
    const calls = await hammer([t.url], t.projects[0].apiKey, 300);
    expect(calls.statuses).toEqual(new Set([200]));
    // Those of the first moment wait for Redis; nobody waits twice, or after them.
    expect(calls.slowestMs).toBeLessThan(2000);
    const signIn = await timed(t.api.post('/auth-collections/login', person));
    expect(signIn.answer).toFailWith(503, 'engine_unavailable');
    expect(signIn.ms).toBeLessThan(1000);
    const times: number[] = [];
    for (let call = 0; call < 5; call += 1) times.push((await timed(t.api.get('/collections'))).ms);
    expect(Math.min(...times)).toBeLessThan(200);
    const rooms = await timed(t.api.get('/realtime/rooms'));
    expect(rooms.answer.status).toBe(200);
    expect(rooms.ms).toBeLessThan(1500);
  }

  async function expectRecovery(): Promise<void> {
    await expect.poll(() => countersOf(t), { timeout: 15_000 }).toBe('ok');
    expect((await t.api.post('/auth-collections/login', person)).status).toBe(200);
  }

  test('while it is paused, data is served, sign-in says so at once, and events come afterwards', async () => {
    await using client = await t.live();
    await client.subscribe('notes');
    redis.signal('SIGSTOP');
    await expectService();
    expect(await countersOf(t)).toBe('away');
    await t.api.post('/collections/notes', { text: 'while it was paused' });
    redis.signal('SIGCONT');
    await client.next('event', ({ document }) => document.text === 'while it was paused');
    await expectRecovery();
  });

  test('while it is full, data is served, sign-in says so at once, and events come afterwards', async () => {
    await using client = await t.live();
    await client.subscribe('notes');
    const operator = new Redis(redis.url);
    try {
      await operator.config('SET', 'maxmemory', '1');
      await expectService();
      await expect.poll(() => countersOf(t), { timeout: 5000 }).toBe('full');
      await t.api.post('/collections/notes', { text: 'while it was full' });
      await operator.config('SET', 'maxmemory', '0');
      await client.next('event', ({ document }) => document.text === 'while it was full');
      await expectRecovery();
    } finally {
      operator.disconnect();
    }
  });
});

test('a node follows Sentinels to another Redis when the primary is killed', async () => {
  const primary = await startRedis();
  const replica = await startRedis({ args: ['--replicaof', `127.0.0.1 ${primary.port}`] });
  const sentinel = await startSentinel(primary.port);
  const operator = new Redis(replica.url);
  const watching = new Redis(sentinel.port);
  try {
    // Sentinel has to know the replica before it can make it the primary.
    await expect.poll(() => operator.info('replication'), { timeout: 10_000 }).toContain('link_status:up');
    const known = () => watching.call('SENTINEL', 'REPLICAS', 'mymaster').then(String);
    await expect.poll(known, { timeout: 15_000 }).toContain(String(replica.port));
    await using t = await liveApp({ REDIS_URL: `redis+sentinel://127.0.0.1:${sentinel.port}/mymaster` });
    expect(await countersOf(t)).toBe('ok');
    expect((await t.api.post('/auth-collections/signup', person)).status).toBe(201);
    await primary.stop('SIGKILL');
    expect((await t.api.get('/collections')).status).toBe(200);
    // A Sentinel that was held up for 2 s trusts nothing it sees for the next 30 (TILT); the node can only follow its word.
    const announced = () => watching.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'mymaster').then(String);
    await expect.poll(announced, { timeout: 60_000 }).toBe(`127.0.0.1,${replica.port}`);
    // Tries with a password are counted on Redis or not taken.
    const signIn = async () => (await t.api.post('/auth-collections/login', person)).status;
    await expect.poll(signIn, { timeout: 10_000 }).toBe(200);
    expect(await countersOf(t)).toBe('ok');
    await t.api.post('/collections', { name: 'notes' });
    await using client = await t.live();
    await client.subscribe('notes');
    await t.api.post('/collections/notes', { text: 'on the new primary' });
    await client.next('event', ({ document }) => document.text === 'on the new primary');
  } finally {
    watching.disconnect();
    operator.disconnect();
    await sentinel.stop();
    await replica.stop();
    await primary.stop();
  }
}, 120_000);
