// @postgres newest
// @needs redis
import { expect, inject, test } from 'vitest';
import { liveApp } from './live-app.ts';

test('nodes wait quietly while a long transaction keeps one of them from making the slot', async () => {
  await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
  await t.api.post('/collections', { name: 'notes' });
  const other = await t.node();
  const pool = t.cells.pool(t.projects[0].cell);
  const long = await pool.connect();
  await long.query('BEGIN');
  await long.query('SELECT pg_current_xact_id()');
  const failures = async () => {
    const { rows } = await pool.query<{ count: number }>(
      'SELECT xact_rollback::int AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0]!.count;
  };
  const before = await failures();
  await using here = await t.live();
  await using there = await t.live(undefined, other.url);
  const asked = { type: 'subscribe', id: 'a', collection: 'notes' };
  const [refused] = await Promise.all([here.refusal(asked), there.refusal(asked)]);
  expect(refused.code).toBe('engine_unavailable');
  expect((await failures()) - before).toBeLessThan(10);

  await long.query('COMMIT');
  long.release();
  await here.subscribe('notes');
  await there.subscribe('notes');
  await t.api.post('/collections/notes', { text: 'one' });
  for (const client of [here, there]) expect((await client.next('event')).document.text).toBe('one');
});
