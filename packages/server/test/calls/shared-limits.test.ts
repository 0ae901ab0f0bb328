// @postgres newest
// @needs redis
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { hammer } from '../support/calls/hammer.ts';
import { inOneWindow } from '../support/calls/rate-window.ts';
import { startRedis } from '../support/redis.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

/** A project of its own, with a limit. */
async function limited(t: TestApp, limit: number): Promise<string> {
  const { ref, apiKey } = await t.createProject();
  await setTier(t.control, ref, 'enterprise', limit);
  return apiKey;
}

describe('nodes with one Redis', () => {
  let t: TestApp;
  // A number of its own: other tests use the same Redis, with projects of the same ids.
  const redisUrl = `${inject('redisUrl')}/5`;
  beforeAll(async () => {
    t = await testApp({ REDIS_URL: redisUrl });
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test('N1: three nodes hold one limit together, within 5 %', async () => {
    const urls = [t.url, (await t.node()).url, (await t.node()).url];
    const { passed, statuses } = await inOneWindow(10_000, async () =>
      hammer(urls, await limited(t, 400), 1200),
    );
    expect(passed).toBeGreaterThanOrEqual(380);
    expect(passed).toBeLessThanOrEqual(420);
    expect(statuses).toEqual(new Set([200, 429]));
  });

  test('what is counted is forgotten after its window', async () => {
    await t.api.get('/collections');
    const redis = new Redis(redisUrl);
    try {
      const names = await redis.keys('*');
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const seconds = await redis.ttl(name);
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThanOrEqual(120);
      }
    } finally {
      redis.disconnect();
    }
  });
});

describe('H6: nodes that lose their Redis', () => {
  let t: TestApp;
  let link: BreakableLink;
  let urls: string[];
  let adminUrls: string[];
  beforeAll(async () => {
    link = new BreakableLink(`${inject('redisUrl')}/6`);
    t = await testApp({ REDIS_URL: await link.open() });
    const other = await t.node();
    urls = [t.url, other.url];
    adminUrls = [t.app.adminUrl ?? '', other.adminUrl];
  });
  afterAll(async () => {
    await t[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
  });

  test('when it falls silent, calls are served soon, and each node takes its part of the limit', async () => {
    const redis = new Redis(inject('redisUrl'));
    onTestFinished(() => redis.disconnect());
    const connections = async () => String(await redis.call('CLIENT', 'LIST')).match(/ db=6 /g)?.length;
    const { passed, statuses, slowestMs } = await inOneWindow(20_000, async () => {
      await untilCounting(adminUrls, 2);
      await expect.poll(() => states(adminUrls)).toEqual(['ok', 'ok']);
      const apiKey = await limited(t, 50);
      await hammer(urls, apiKey, 2);
      // Each node counts over one connection, hears others over another, and says over a third that it is there.
      await expect.poll(connections).toBe(6);
      expect(link.silence()).toBe(6);
      return hammer(urls, apiKey, 200);
    });
    expect(statuses).toEqual(new Set([200, 429]));
    expect(passed).toBeGreaterThanOrEqual(45);
    expect(passed).toBeLessThanOrEqual(55);
    expect(slowestMs).toBeLessThan(30_000);
  });

  test('when it is gone, calls are served at once, and each node takes its part of the limit', async () => {
    await link.cut();
    const { passed, statuses, slowestMs } = await inOneWindow(10_000, async () =>
      hammer(urls, await limited(t, 50), 200),
    );
    expect(statuses).toEqual(new Set([200, 429]));
    expect(passed).toBe(50);
    expect(slowestMs).toBeLessThan(30_000);
  });

  test('a load balancer keeps nodes that serve: without Redis they are ready, and say what is away', async () => {
    const { url, adminUrl } = await t.node();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    await expect.poll(() => states([adminUrl])).toEqual(['away']);
  });

  test('when it is back they count together again', async () => {
    await link.open();
    // A node that finds Redis slow, as on a busy machine, counts alone for some seconds: so it is asked more than once.
    const passed: number[] = [];
    for (let tries = 0; tries < 5 && passed.at(-1) !== 50; tries += 1) {
      await expect.poll(() => states(adminUrls)).toEqual(['ok', 'ok']);
      passed.push(
        await inOneWindow(10_000, async () => (await hammer(urls, await limited(t, 50), 200)).passed),
      );
    }
    expect(passed.at(-1), `passed: ${passed.join(', ')}`).toBe(50);
  });
});

test('H6: Redis is killed and comes back empty in the middle of a minute: three nodes stay within 10 % of the limit', async () => {
  let redis = await startRedis();
  await using t = await testApp({ REDIS_URL: redis.url });
  try {
    const others = [await t.node(), await t.node()];
    const urls = [t.url, ...others.map(({ url }) => url)];
    const adminUrls = [t.app.adminUrl ?? '', ...others.map(({ adminUrl }) => adminUrl)];
    const { before, alone, after } = await inOneWindow(25_000, async () => {
      await untilCounting(adminUrls, 3);
      const apiKey = await limited(t, 600);
      const before = await hammer(urls, apiKey, 240);
      const during = hammer(urls, apiKey, 900);
      await redis.stop('SIGKILL');
      const alone = await during;
      redis = await startRedis({ port: redis.port });
      await expect.poll(() => states(adminUrls)).toEqual(['ok', 'ok', 'ok']);
      return { before, alone, after: await hammer(urls, apiKey, 60) };
    });
    expect(before.passed).toBe(240);
    expect(new Set([...alone.statuses, ...after.statuses])).toEqual(new Set([200, 429]));
    const passed = before.passed + alone.passed + after.passed;
    expect(passed, `${alone.passed} alone, ${after.passed} after`).toBeGreaterThanOrEqual(540);
    expect(passed, `${alone.passed} alone, ${after.passed} after`).toBeLessThanOrEqual(660);
  } finally {
    await redis.stop();
  }
});

/** How each node's counters are. */
const states = (adminUrls: readonly string[]) =>
  Promise.all(
    adminUrls.map(async (url) => {
      const ready = (await (await fetch(`${url}/readyz`)).text()).match(/"counters":"(\w+)"/);
      return ready?.[1];
    }),
  );

/** Each node has heard of all that count. */
async function untilCounting(urls: readonly string[], processes: number): Promise<void> {
  const heard = (url: string) => async () => (await fetch(`${url}/metrics`)).text();
  for (const url of urls)
    await expect.poll(heard(url)).toContain(`\nplinth_counting_processes ${processes}\n`);
}
