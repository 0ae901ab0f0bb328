// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

/** Processes of PostgreSQL with a lock of the kind, and connections of the job queue. */
async function count(t: TestApp, cell: number) {
  const { rows } = await t.cells.pool(cell).query<{ role: string; holders: number; workers: number }>(`
    SELECT role, (SELECT count(DISTINCT pid)::int FROM pg_locks, generate_series(1, 2) AS place
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32 | objid::bigint) = hashtextextended('plinth lease ' || role || ' ' || place, 0)) AS holders,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'plinth jobs' AND query LIKE 'LISTEN%') AS workers
    FROM unnest(ARRAY ['jobs', 'schedules', 'deliveries', 'housekeeping']) AS role`);
  return rows;
}

const twoEach = ['jobs', 'schedules', 'deliveries', 'housekeeping'].map((role) => ({
  role,
  holders: 2,
  workers: 2,
}));

test('of many processes two do what one could do, and others take their place', async () => {
  await using t = await testApp();
  const others = await Promise.all([t.node(), t.node(), t.node()]);
  for (const cell of t.cells.numbers) await expect.poll(() => count(t, cell)).toEqual(twoEach);
  // Whoever has leases, the last that is left gets them.
  const [last, ...first] = others.toReversed();
  await Promise.all([t.app.stop(), ...first.map(({ app }) => app.stop())]);
  const api = new Client(last!.url, { 'x-api-key': t.projects[0].apiKey });
  await api.post('/collections', { name: 'posts' });
  await api.post('/collections/posts', { title: 'Hello' });
  const made = await api.post('/collections/posts/indexes', { fields: ['title'], kind: 'unique' });
  expect(made.status).toBe(201);
  await expect
    .poll(async () => (await api.get('/collections/posts/indexes')).body.data[0].state)
    .toBe('ready');
});
