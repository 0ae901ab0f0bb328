// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Cells } from '../../src/platform/db/cells.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { Client } from '../support/client.ts';
import { newCollection } from '../support/data/new-collection.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

const limits = { STATEMENT_TIMEOUT_MS: 15_000, QUERY_TIMEOUT_MS: 12_000, DATABASE_CONNECT_TIMEOUT_MS: 8000 };
/** What a call may take: a statement that is not answered, and a connection that is not made. */
const longestMs = limits.STATEMENT_TIMEOUT_MS + 1000 + limits.DATABASE_CONNECT_TIMEOUT_MS + 10_000;

/** A node that reaches its second cell through a link. */
async function behindLink(t: TestApp) {
  const link = new BreakableLink(t.config.CELL_DATABASE_URLS.slice('2='.length));
  const settings = Object.fromEntries(Object.entries(limits).map(([name, ms]) => [name, String(ms)]));
  const { url } = await t.node({ ...settings, CELL_DATABASE_URLS: `2=${await link.open()}` });
  const [other, own] = t.projects.map(({ apiKey }) => new Client(url, { 'x-api-key': apiKey }));
  return { link, other: other!, own: own! };
}

/** Some of everything, at the same time. */
function callsOn(api: Client, path: string, id: string) {
  return [
    ...Array.from({ length: 5 }, () => api.get(`${path}/${id}`)),
    ...Array.from({ length: 5 }, () => api.post(path, { n: 1 })),
    ...Array.from({ length: 5 }, (_, at) => api.get(`${path}?n__gte=${at}&sort=n`)),
    ...Array.from({ length: 5 }, () => api.get(path)),
    api.patch(`${path}/${id}`, { n: 2 }),
    api.post(`${path}/batch`, { documents: [{}, {}] }),
    api.post('/collections', { name: `made${Math.random().toString(36).slice(2)}` }),
  ];
}

async function timed<Result>(work: Promise<Result>) {
  const startedAt = performance.now();
  const result = await work;
  return { result, ms: performance.now() - startedAt };
}

test('a cell whose host vanishes stops its own projects only, in time, and serves them once another has its address', async () => {
  await using t = await testApp();
  const { link, other, own } = await behindLink(t);
  await using _ = link;
  const paths = await Promise.all(
    [other, own].map(async (api) => {
      const { path } = await newCollection(api);
      const { body } = await api.post(path, { n: 0 });
      return { path, id: body.data.id as string };
    }),
  );
  const [ofOther, ofOwn] = paths as [(typeof paths)[0], (typeof paths)[0]];
  const served = await Promise.all(callsOn(own, ofOwn.path, ofOwn.id));
  expect(served.filter(({ status }) => status >= 400)).toEqual([]);

  expect(link.vanish()).toBeGreaterThan(5);
  const failing = callsOn(own, ofOwn.path, ofOwn.id).map(timed);
  const others = await Promise.all(callsOn(other, ofOther.path, ofOther.id).map(timed));
  for (const { result, ms } of others) {
    expect(result.status).toBeLessThan(300);
    expect(ms).toBeLessThan(limits.STATEMENT_TIMEOUT_MS);
  }
  for (const { result, ms } of await Promise.all(failing)) {
    expect(result).toFailWith(503, 'engine_unavailable');
    expect(result.headers.get('retry-after')).toBe('1');
    expect(ms).toBeLessThan(longestMs);
  }

  link.comeBack();
  const back = await timed(Promise.all(callsOn(own, ofOwn.path, ofOwn.id)));
  expect(back.result.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
  expect(back.ms).toBeLessThan(limits.STATEMENT_TIMEOUT_MS);
});

test('connections that fell silent are left behind long before their deadline; reads do not notice', async () => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.CELL_DATABASE_URLS.slice('2='.length));
  const { url } = await t.node({ CELL_DATABASE_URLS: `2=${await link.open()}` });
  const own = new Client(url, { 'x-api-key': t.projects[1].apiKey });
  const { path } = await newCollection(own);
  const { body } = await own.post(path, { n: 0 });
  const calls = () => callsOn(own, path, body.data.id);
  for (const silence of [() => link.vanish('\0application_name\0plinth\0'), () => link.silence()]) {
    await Promise.all(calls());
    expect(silence()).toBeGreaterThan(5);
    const [read, written] = await Promise.all([
      timed(own.get(`${path}/${body.data.id}`)),
      timed(own.post(path, { n: 1 })),
    ]);
    expect(read.result.status).toBe(200);
    expect(written.result).toFailWith(503, 'engine_unavailable');
    for (const { ms } of [read, written]) expect(ms).toBeLessThan(30_000);
    const next = await timed(Promise.all(calls()));
    expect(next.result.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
    expect(next.ms).toBeLessThan(30_000);
  }
});

test('a statement that takes long, or whose answer does, is left alone', async () => {
  await using t = await testApp();
  const cells = new Cells(
    new Map([[1, t.config.DATABASE_URL]]),
    { size: 2, statementTimeoutMs: 30_000, connectTimeoutMs: 60_000 },
    pino({ level: 'silent' }),
  );
  const db = cells.forProject({ id: '1', cell: 1 });
  expect(await db.query(sql`SELECT ${db.scope}::text AS id, pg_sleep(4)::text AS slept`)).toHaveLength(1);
  const long = db.query<{ text: string }>(sql`SELECT ${db.scope}::text AS id, repeat('x', 60000000) AS text`);
  // Its answer waits while nobody reads.
  for (let n = 0; n < 3; n += 1) {
    await sleep(20);
    const until = performance.now() + 1500;
    while (performance.now() < until);
  }
  expect((await long)[0]?.text).toHaveLength(60_000_000);
  await cells.close();
});

test('while PostgreSQL says that it works, it may be late with its own limit', async () => {
  await using t = await testApp();
  const limits = { size: 1, statementTimeoutMs: 2000, connectTimeoutMs: 60_000 };
  const cells = new Cells(new Map([[1, t.config.DATABASE_URL]]), limits, pino({ level: 'silent' }));
  await cells.pool(1).query('SET statement_timeout = 0; SELECT pg_sleep(4.5)');
  const endless = timed(
    cells
      .pool(1)
      .query('SELECT pg_sleep(30)')
      .catch((error: unknown) => error),
  );
  expect((await endless).result).toMatchObject({ code: 'ETIMEDOUT' });
  expect((await endless).ms).toBeLessThan(15_000);
  await cells.close();
});

test('work without a time limit ends when PostgreSQL no longer knows of it', async () => {
  await using t = await testApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  const options = { size: 2, statementTimeoutMs: 2000, connectTimeoutMs: 60_000 };
  const cells = new Cells(new Map([[1, await link.open()]]), options, pino({ level: 'silent' }));
  const { signal } = new AbortController();
  const working = timed(
    cells
      .session(1, signal, async (connection) => {
        await connection.query(`SET client_connection_check_interval = '500ms'`);
        void sleep(100).then(() => link.vanish('plinth session'));
        await connection.query('SELECT pg_sleep(60)');
      })
      .catch((error: unknown) => error),
  );
  const { result, ms } = await working;
  expect(result).toMatchObject({ code: 'ETIMEDOUT' });
  expect(ms).toBeLessThan(15_000);
  await cells.close();
});
