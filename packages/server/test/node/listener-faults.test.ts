// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { regenerateKey } from '../../src/features/control/projects/index.ts';
import { ControlDb } from '../../src/platform/db/control-db.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { Client } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

/** The processes of PostgreSQL that nodes hear of changes by. */
async function listeners(t: TestApp): Promise<number[]> {
  const { rows } = await t.cells.pool(1).query<{ pid: number }>(`SELECT pid FROM pg_stat_activity
    WHERE application_name = 'plinth listener' AND datname = current_database()`);
  return rows.map(({ pid }) => pid);
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

test.concurrent('a database that is slow to take the connection for changes back gets one, not several', async ({
  expect,
}) => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  await expect.poll(async () => (await listeners(t)).length).toBe(1);
  const [direct] = await listeners(t);
  const { url, adminUrl } = await t.node({ DATABASE_URL: await link.open() });
  await expect.poll(async () => (await listeners(t)).length).toBe(2);
  const old = (await listeners(t)).find((pid) => pid !== direct)!;
  link.delayMs = 1500;
  await t.cells.pool(1).query('SELECT pg_terminate_backend($1)', [old]);
  await expect.poll(() => listeners(t)).not.toContain(old);
  let most = 0;
  const count = async () => {
    const { length } = await listeners(t);
    most = Math.max(most, length);
    return length;
  };
  // It connects twice, one after the other: a second time for the proof that it hears.
  const until = performance.now() + 2 * link.delayMs;
  while (performance.now() < until) {
    await count();
    await sleep(50);
  }
  const current = async () => {
    await count();
    return (await new Client(adminUrl).get('/metrics')).text;
  };
  await expect.poll(current, { interval: 50 }).toContain('\nplinth_listener_current{cell="1"} 1\n');
  await expect.poll(count, { interval: 50 }).toBe(2);
  expect(most).toBeLessThanOrEqual(3);
  expect((await new Client(url, { 'x-api-key': t.projects[0].apiKey }).get('/collections')).status).toBe(200);
});
