// @needs redis
import { expect, inject, test } from 'vitest';
import { liveApp } from './live-app.ts';

// From PostgreSQL 18 on it leaves out what it does not know, and goes on.
test('a slot that is older than what it is to tell of is made anew', async () => {
  await using t = await liveApp({ REDIS_URL: inject('redisUrl') });
  await t.api.post('/collections', { name: 'notes' });
  const pool = t.cells.pool(t.projects[0].cell);
  await pool.query('ALTER PUBLICATION plinth_changes RENAME TO later');
  await pool.query(`SELECT pg_create_logical_replication_slot(
    'plinth_' || (SELECT oid FROM pg_database WHERE datname = current_database()), 'pgoutput')`);
  await t.api.post('/collections/notes', { text: 'before' });
  await pool.query('ALTER PUBLICATION later RENAME TO plinth_changes');
  await using client = await t.live();
  await client.subscribe('notes');
  // Whoever was told to read again hears of what comes after that.
  await expect
    .poll(async () => {
      await t.api.post('/collections/notes', { text: 'after' });
      return client.messages.some((message) => message.type === 'event');
    })
    .toBe(true);
});
