// @postgres newest
// @needs redis
import { expect, test } from 'vitest';
import { listRequests } from '../../../src/features/control/requests/index.ts';
import { BreakableLink } from '../../support/breakable-link.ts';
import { Client } from '../../support/client.ts';
import { startRedis } from '../../support/redis.ts';
import { testApp } from '../../support/test-app.ts';
import { readerOf, readLog } from './read-log.ts';

async function gauge(url: string, name: string): Promise<number> {
  const metrics = await new Client(url).get('/metrics');
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics.text)?.[1]);
}

test('where the log cannot be written, lines are lost and counted, and calls are answered', async () => {
  await using t = await testApp();
  const { ref, api, cell } = await t.createProject();
  const pool = t.cells.pool(cell);
  await pool.query('ALTER TABLE cell.requests RENAME TO hidden');
  for (let n = 0; n < 20; n += 1) expect((await api.get('/collections')).status).toBe(200);
  await expect.poll(() => gauge(t.app.adminUrl ?? '', 'plinth_request_log_lost_total')).toBe(20);
  await pool.query('ALTER TABLE cell.hidden RENAME TO requests');
  await api.get('/collections');
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(1);
});

test('a partition that is missing is made', async () => {
  await using t = await testApp();
  const { ref, api, cell } = await t.createProject();
  await api.get('/collections');
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(1);
  const { rows } = await t.cells
    .pool(cell)
    .query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'cell.requests'::regclass`,
    );
  expect(rows).toHaveLength(3);
  for (const { name } of rows) await t.cells.pool(cell).query(`DROP TABLE ${name}`);
  await api.get('/collections');
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(1);
});

test('a database that cannot be reached costs lines of its cell, and nothing of the others', async () => {
  await using t = await testApp();
  const urls = t.config.CELL_DATABASE_URLS.slice(2);
  await using link = new BreakableLink(urls);
  const { url, adminUrl, app } = await t.node({ CELL_DATABASE_URLS: `2=${await link.open()}` });
  const inCell = (cell: number) => t.projects.find((project) => project.cell === cell)!;
  const [near, far] = [inCell(1), inCell(2)];
  const clientOf = ({ apiKey }: { apiKey: string }) => new Client(url, { 'x-api-key': apiKey });
  // Each look into control would wait for the node to hear of it, which it cannot while the link is cut.
  const reader = await readerOf(t, near.ref);
  await link.cut();
  for (let n = 0; n < 10; n += 1) {
    expect((await clientOf(far).get('/nowhere')).status).toBe(404);
    expect((await clientOf(near).get('/nowhere')).status).toBe(404);
  }
  await expect.poll(async () => (await listRequests(reader, {})).requests.length).toBe(10);
  await expect.poll(() => gauge(adminUrl, 'plinth_request_log_lost_total')).toBe(10);
  await link.open();
  await clientOf(far).get('/nowhere');
  await expect.poll(async () => (await readLog(t, far.ref)).length).toBe(1);
  await app.stop();
});

test('without Redis, which the nodes had, calls are logged all the same', async () => {
  const redis = await startRedis();
  await using t = await testApp({ REDIS_URL: redis.url });
  const [{ ref, api }] = t.projects;
  await api.get('/collections');
  await redis.stop();
  await api.get('/nowhere');
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(2);
});
