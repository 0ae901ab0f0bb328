// @postgres newest
// @needs redis
import { afterEach, expect, inject, test, vi } from 'vitest';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ REDIS_URL: `${inject('redisUrl')}/8` });

const hourMs = 3_600_000;
const now = Date.now.bind(Date);
afterEach(() => void vi.restoreAllMocks());

/** Sets the clock of this process, and so of the node in it. */
const setClock = (aheadMs: number) => vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);

const readiness = async () => {
  const { status, body } = await t.anonymous.get('/readyz');
  return { status, message: (body as { error?: { message: string } }).error?.message };
};

const isReady = () => expect.poll(readiness).toMatchObject({ status: 200 });

test('a node whose clock is an hour ahead is not ready, says so, and is ready again once the clock is right', async () => {
  await isReady();
  setClock(hourMs);
  await expect.poll(readiness).toEqual({
    status: 503,
    message: expect.stringMatching(/clock of this node is 3[56]\d\d\.\d s ahead/),
  });
  const metrics = async () => (await t.admin.get('/metrics')).text;
  for (const clock of ['cell 2', 'redis'])
    await expect
      .poll(metrics)
      .toMatch(new RegExp(`plinth_clock_ahead_seconds\\{clock="${clock}"\\} 3[56]\\d\\d`));
  vi.restoreAllMocks();
  await isReady();
});

test('once a clock that was ahead is right, new documents are of now', async () => {
  await t.api.post('/collections', { name: 'posts' });
  const create = async () => Date.parse((await t.api.post('/collections/posts', {})).body.data.createdAt);
  setClock(hourMs);
  expect(await create()).toBeGreaterThan(now() + hourMs - 60_000);
  vi.restoreAllMocks();
  const createdAt = await create();
  expect(createdAt).toBeLessThanOrEqual(now());
  // A clock that is set back a little, as NTP may do, changes no order.
  setClock(-2000);
  expect(await create()).toBeGreaterThanOrEqual(createdAt);
});

test('limits are counted by the clock of Redis, whatever that of the node says', async () => {
  setClock(hourMs / 2);
  const { headers } = await t.api.get('/collections');
  const resetMs = Number(headers.get('x-ratelimit-reset')) * 1000;
  expect(resetMs - now()).toBeGreaterThan(-1000);
  expect(resetMs - now()).toBeLessThanOrEqual(61_000);
});
