// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { CachedLookup } from '../../../src/platform/invalidation/cached-lookup.ts';
import { ControlInvalidations } from '../../../src/platform/invalidation/control-invalidations.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import { Outage } from '../../../src/platform/invalidation/outage.ts';
import { BreakableLink } from '../../support/breakable-link.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

/** `PLINTH_TEST_AWAY_SECONDS=55` is nearly as long as what is known is used. */
const rounds = Number(process.env.PLINTH_TEST_AWAY_SECONDS ?? 2.5) * 10;

/** A cache of records of control, behind a line that can be cut, and when it read what. */
async function openCache(outage?: Outage) {
  const link = new BreakableLink(t.config.DATABASE_URL);
  const listener = new InvalidationListener(
    new DatabaseServer(await link.open(), 60_000),
    pino({ level: 'silent' }),
  );
  const control = new ControlInvalidations(listener, outage);
  const reads: { key: string; at: number }[] = [];
  const state = { isAway: false };
  const cache = new CachedLookup(control, {
    max: 10_000,
    topic: 'planted',
    load: async (key) => {
      reads.push({ key, at: performance.now() });
      if (state.isAway) throw new Error('away');
      return key.startsWith('no') ? undefined : { key };
    },
  });
  await listener.start();
  await expect.poll(() => listener.horizon).toBeDefined();
  return {
    link,
    cache,
    reads,
    state,
    listener,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await link[Symbol.asyncDispose]();
    },
  };
}

const tell = (key: string) => t.cells.pool(1).query('SELECT control.tell($1)', [`planted:${key}`]);

test('after a reconnection only what has changed meanwhile is read again', async () => {
  await using opened = await openCache();
  const { cache, link, listener, reads } = opened;
  for (const key of ['a', 'b', 'c']) await cache.get(key);
  await link.cut();
  await expect.poll(() => listener.isCurrent).toBe(false);
  await tell('b');
  await link.open();
  await expect.poll(() => listener.isCurrent).toBe(true);
  reads.length = 0;
  for (const key of ['a', 'b', 'c']) expect(await cache.get(key)).toEqual({ key });
  expect(reads.map(({ key }) => key)).toEqual(['b']);
});

test('a change that was begun before the line broke and committed after it is heard of', async () => {
  await using opened = await openCache();
  const { cache, link, listener, reads } = opened;
  const writer = await t.cells.pool(1).connect();
  await writer.query('BEGIN');
  await writer.query(`SELECT control.tell('planted:slow')`);
  await tell('other');
  await cache.get('slow');
  await link.cut();
  await expect.poll(() => listener.isCurrent).toBe(false);
  await writer.query('COMMIT');
  writer.release();
  await link.open();
  await expect.poll(() => listener.isCurrent).toBe(true);
  reads.length = 0;
  await cache.get('slow');
  expect(reads).toHaveLength(1);
});

test('while nothing is heard, what is known is used, and the database is asked at most 50 times a second', async () => {
  await using opened = await openCache();
  const { cache, link, listener, reads } = opened;
  const keys = Array.from({ length: 300 }, (_, n) => `k${n}`);
  await Promise.all(keys.map(async (key) => cache.get(key)));
  await link.cut();
  await expect.poll(() => listener.isCurrent).toBe(false);
  reads.length = 0;
  const strangers: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const key of keys) expect(await cache.get(key)).toEqual({ key });
    for (let n = 0; n < 20; n += 1)
      strangers.push(Promise.resolve(cache.get(`no${round}-${n}`)).catch(() => {}));
    await sleep(100);
  }
  await Promise.all(strangers);
  const mostInASecond = Math.max(
    ...reads.map(({ at: from }) => reads.filter(({ at }) => at >= from && at < from + 1000).length),
  );
  const ofKnown = reads.filter(({ key }) => key.startsWith('k')).length;
  console.log(
    `At most ${mostInASecond} look-ups in a second, ${ofKnown} of ${reads.length} of what is known.`,
  );
  expect(mostInASecond).toBeLessThanOrEqual(50);
  expect(ofKnown).toBeGreaterThan(20);
});

test('what is known is used for a limited time only, and a record that is gone only until that is seen', async () => {
  await using opened = await openCache(new Outage(15_000));
  const { cache, link, listener, state } = opened;
  await cache.get('kept');
  await link.cut();
  await expect.poll(() => listener.isCurrent).toBe(false);
  state.isAway = true;
  expect(await cache.get('kept')).toEqual({ key: 'kept' });
  await expect.poll(() => Promise.resolve(cache.get('kept')).catch(String)).toBe('Error: away');
  expect(performance.now() - listener.heardAt).toBeGreaterThanOrEqual(15_000);
});
