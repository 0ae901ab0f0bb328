// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { regenerateKey } from '../../src/features/control/projects/index.ts';
import { ControlDb } from '../../src/platform/db/control-db.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { Client } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

async function countListeners(t: TestApp): Promise<number> {
  const { rows } = await t.cells.pool(1).query<{ count: number }>(`SELECT count(*)::int AS count
    FROM pg_stat_activity WHERE application_name = 'plinth listener' AND datname = current_database()`);
  return rows[0]!.count;
}

test.concurrent('a node whose connection for changes fell silent believes its memory for 3 s at most', async () => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  const { url } = await t.node({ DATABASE_URL: await link.open() });
  const { ref, apiKey } = await t.createProject();
  const client = new Client(url, { 'x-api-key': apiKey });
  expect((await client.get('/collections')).status).toBe(200);
  expect(link.silence('plinth listener')).toBe(1);
  // Not `t.control`, which waits until the nodes have heard.
  await regenerateKey(new ControlDb(t.cells.pool(1)), ref);
  await untilAnswer(() => client.get('/collections'), isRefused, 3100);
});

test.concurrent('a database that is slow to take the connection for changes back gets one, not several', async () => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  const { url } = await t.node({ DATABASE_URL: await link.open() });
  expect(await countListeners(t)).toBe(2);
  link.delayMs = 1500;
  await t.cells.pool(1).query(`SELECT pg_terminate_backend(pid)
    FROM pg_stat_activity WHERE application_name = 'plinth listener' AND datname = current_database()`);
  await sleep(4500);
  expect(await countListeners(t)).toBe(2);
  expect((await new Client(url, { 'x-api-key': t.projects[0].apiKey }).get('/collections')).status).toBe(200);
});
