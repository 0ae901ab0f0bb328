// @postgres newest
// @needs redis
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hammer } from '../support/calls/hammer.ts';
import type { Reply } from '../support/client.ts';
import { type RedisServer, startRedis, startSentinel } from '../support/redis.ts';
import { type LiveApp, liveApp } from './live-app.ts';

const countersOf = async (t: LiveApp): Promise<unknown> =>
  (await t.admin.get('/readyz')).body.engines?.counters;

const person = { email: 'ada@example.com', password: 'correct horse battery' };

/** Tries with a password are counted on Redis or not taken: one that was slow is tried again. */
async function untilStatus(status: number, call: () => Promise<Reply>): Promise<void> {
  await vi.waitFor(async () => expect((await call()).status).toBe(status), 60_000);
}

const signUp = (t: LiveApp) => untilStatus(201, () => t.api.post('/auth-collections/signup', person));

/** A busy machine answers late now and then, and whoever waits for Redis does so every time. */
async function expectQuick(call: () => Promise<Reply>, status: number, withinMs: number): Promise<void> {
  const statuses = new Set<number>();
  const took = async () => {
    const sentAt = performance.now();
    statuses.add((await call()).status);
    return performance.now() - sentAt;
  };
  await expect.poll(took).toBeLessThan(withinMs);
  expect(statuses).toEqual(new Set([status]));
}

describe('a Redis that is paused, or full', () => {
  let redis: RedisServer;
  let t: LiveApp;
  beforeAll(async () => {
    redis = await startRedis();
    t = await liveApp({ REDIS_URL: redis.url });
    await t.api.post('/collections', { name: 'notes' });
    await signUp(t);
  });
  afterAll(async () => {
    await t[Symbol.asyncDispose]();
    redis.signal('SIGCONT');
    await redis.stop();
  });

  /** What is promised while Redis takes nothing: from when it `fails` until it is `mended`. */
  async function expectService(fails: () => unknown, mended: () => unknown): Promise<void> {
    const list = () => t.api.get('/collections');
    const signIn = () => t.api.post('/auth-collections/login', person);
    const firstMs = async () => {
      await mended();
      await expect.poll(() => countersOf(t)).toBe('ok');
      await fails();
      const sentAt = performance.now();
      await list();
      return performance.now() - sentAt;
    };
    // Those of the first moment wait for Redis, and not until it is given up after 2 s.
    await expect.poll(firstMs).toBeLessThan(1500);
    const calls = await hammer([t.url], t.projects[0].apiKey, 300);
    expect(calls.statuses).toEqual(new Set([200]));
    expect(calls.slowestMs).toBeLessThan(20_000);
    expect(await signIn()).toFailWith(503, 'engine_unavailable');
    await expectQuick(signIn, 503, 1000);
    // Nobody waits after the first ones.
    await expectQuick(list, 200, 200);
    await expectQuick(() => t.api.get('/realtime/rooms'), 200, 1500);
  }

  async function expectRecovery(): Promise<void> {
    await expect.poll(() => countersOf(t)).toBe('ok');
    await untilStatus(200, () => t.api.post('/auth-collections/login', person));
  }

  test('while it is paused, data is served, sign-in says so at once, and events come afterwards', async () => {
    await using client = await t.live();
    await client.subscribe('notes');
    await expectService(
      () => redis.signal('SIGSTOP'),
      () => redis.signal('SIGCONT'),
    );
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
      await expectService(
        () => operator.config('SET', 'maxmemory', '1'),
        () => operator.config('SET', 'maxmemory', '0'),
      );
      await expect.poll(() => countersOf(t)).toBe('full');
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
    await expect.poll(() => operator.info('replication')).toContain('link_status:up');
    const known = () => watching.call('SENTINEL', 'REPLICAS', 'mymaster').then(String);
    await expect.poll(known).toContain(String(replica.port));
    await using t = await liveApp({ REDIS_URL: `redis+sentinel://127.0.0.1:${sentinel.port}/mymaster` });
    await expect.poll(() => countersOf(t)).toBe('ok');
    await signUp(t);
    await primary.stop('SIGKILL');
    expect((await t.api.get('/collections')).status).toBe(200);
    // A Sentinel that was held up for 2 s trusts nothing it sees for the next 30 (TILT); the node can only follow its word.
    const announced = () => watching.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'mymaster').then(String);
    await expect.poll(announced).toBe(`127.0.0.1,${replica.port}`);
    await untilStatus(200, () => t.api.post('/auth-collections/login', person));
    await expect.poll(() => countersOf(t)).toBe('ok');
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
});
