import { afterAll, beforeAll, expect, test } from 'vitest';
import { BreakableLink } from '../support/breakable-link.ts';
import { Client } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

let t: TestApp;
let link: BreakableLink;
let cellUrls: string;
let url: string;
let adminUrl: string;
beforeAll(async () => {
  t = await testApp();
  link = new BreakableLink(t.config.CELL_DATABASE_URLS.slice('2='.length));
  cellUrls = `2=${await link.open()}`;
  ({ url, adminUrl } = await t.node({ CELL_DATABASE_URLS: cellUrls }));
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await link[Symbol.asyncDispose]();
});

const apiOf = (project: 0 | 1, at = url) => new Client(at, { 'x-api-key': t.projects[project].apiKey });

test('a cell that is away stops its own projects, with an answer that says to try again, and no others', async () => {
  expect(t.projects.map(({ cell }) => cell)).toEqual([1, 2]);
  for (const project of [0, 1] as const) {
    expect((await apiOf(project).post('/collections', { name: 'posts' })).status).toBe(201);
  }
  await link.cut();
  const sentAt = performance.now();
  const away = await apiOf(1).post('/collections/posts', {});
  expect(away).toFailWith(503, 'engine_unavailable');
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(away.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres/);
  expect(performance.now() - sentAt).toBeLessThan(30_000);
  expect((await apiOf(0).post('/collections/posts', {})).status).toBe(201);
  await expect.poll(async () => (await new Client(url).get('/readyz')).status).toBe(200);
  await expect
    .poll(() => new Client(adminUrl).get('/readyz'))
    .toMatchObject({ status: 200, body: { engines: { 'cell 1': 'ok' } } });
});

test('a node starts while a further cell is away, and serves the other projects', async () => {
  const started = await t.node({ CELL_DATABASE_URLS: cellUrls });
  expect((await apiOf(0, started.url).get('/collections')).status).toBe(200);
  expect(await apiOf(1, started.url).get('/collections')).toFailWith(503, 'engine_unavailable');
});

test('when the cell is back its projects are served at once', async () => {
  await link.open();
  expect((await apiOf(1).post('/collections/posts', {})).status).toBe(201);
});
