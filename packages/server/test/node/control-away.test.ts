// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { regenerateKey } from '../../src/features/control/projects/index.ts';
import { ControlDb } from '../../src/platform/db/control-db.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { isRefused } from '../support/calls/until-answer.ts';
import { Client } from '../support/client.ts';
import { testApp } from '../support/test-app.ts';

/** `PLINTH_TEST_AWAY_SECONDS=60` is for the long run: what is known is used for 75 seconds. */
const awayMs = Number(process.env.PLINTH_TEST_AWAY_SECONDS ?? 4) * 1000;

test('while control is away, projects of other cells that a node knows are read and written on', async () => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  const { url } = await t.node({ DATABASE_URL: await link.open() });
  const [, { ref, apiKey, cell }] = t.projects;
  expect(cell).toBe(2);
  const api = new Client(url, { 'x-api-key': apiKey });
  await api.post('/collections', { name: 'notes' });
  const { id } = (await api.post('/collections/notes', { n: 0 })).body.data;
  // The horizon of what was heard comes with the first ping.
  await sleep(1500);
  await link.cut();
  const until = performance.now() + awayMs;
  let calls = 0;
  while (performance.now() < until) {
    calls += 1;
    expect((await api.get(`/collections/notes/${id}`)).status).toBe(200);
    expect((await api.patch(`/collections/notes/${id}`, { n: calls })).status).toBe(200);
  }
  expect((await new Client(url, { 'x-api-key': 'plk_unknown' }).get('/collections')).status).not.toBe(200);
  // Not `t.control`, which waits until the nodes have heard.
  const { apiKey: next } = await regenerateKey(new ControlDb(t.cells.pool(1)), ref);
  await link.open();
  await expect.poll(async () => isRefused(await api.get('/collections'))).toBe(true);
  const renewed = new Client(url, { 'x-api-key': next });
  await expect.poll(async () => (await renewed.get('/collections')).status).toBe(200);
});
