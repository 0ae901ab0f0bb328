// @postgres newest
// @needs pgbouncer
import { Client as PgClient } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { regenerateKey } from '../../src/features/control/projects/index.ts';
import { Cells } from '../../src/platform/db/cells.ts';
import { isTimeout } from '../../src/platform/db/failures.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { Client } from '../support/client.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
beforeAll(async () => {
  pooler = await startPgBouncer(inject('postgresUrl'));
});
afterAll(() => pooler[Symbol.asyncDispose]());

const second = () => t.config.CELL_DATABASE_URLS.slice('2='.length);
const pooledUrls = () => `1=${pooler.through(t.config.DATABASE_URL)} 2=${pooler.through(second())}`;

describe('a node that would hear of no change does not start, and says what to do', () => {
  test('where the pooler takes every setting', async () => {
    await using lenient = await startPgBouncer(inject('postgresUrl'), {
      ignore_startup_parameters: 'options,statement_timeout',
    });
    const control = t.node({ DATABASE_URL: lenient.through(t.config.DATABASE_URL) });
    await expect(control).rejects.toThrow(/pooler in transaction mode.*POOLED_DATABASE_URLS/);
    const cell = t.node({ CELL_DATABASE_URLS: `2=${lenient.through(second())}` });
    await expect(cell).rejects.toThrow(/POOLED_DATABASE_URLS/);
  });

  test('where the pooler refuses settings', async () => {
    const control = t.node({ DATABASE_URL: pooler.through(t.config.DATABASE_URL) });
    await expect(control).rejects.toThrow(/POOLED_DATABASE_URLS/);
  });
});

test('calls go through a pooler, and a revoked key is refused on every node', async () => {
  const nodes = [];
  for (let n = 0; n < 2; n += 1) nodes.push(await t.node({ POOLED_DATABASE_URLS: pooledUrls() }));
  const urls = nodes.map(({ url }) => url);
  for (const { ref, apiKey } of t.projects) {
    const [one, two] = urls.map((url) => new Client(url, { 'x-api-key': apiKey })) as [Client, Client];
    expect((await one.post('/collections', { name: 'posts' })).status).toBe(201);
    // Often enough that the service would prepare what it sends, and on more connections than the pooler has.
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? one : two).post('/collections/posts', { n, even: n % 2 === 0 }),
      ),
    );
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
    for (const { body } of created.slice(0, 30)) {
      const path = `/collections/posts/${body.data.id}`;
      expect((await two.patch(path, { seen: true })).status).toBe(200);
      expect((await one.get(path)).body.data.seen).toBe(true);
      expect((await one.get('/collections/posts?even=true&orderBy=-n')).body.total).toBe(30);
    }
    expect((await two.delete(`/collections/posts/${created[0]!.body.data.id}`)).status).toBe(200);
    const person = { email: `ada@${ref}.example.com`, password: 'correct horse battery' };
    expect((await one.post('/auth-collections/signup', person)).status).toBe(201);
    expect((await two.post('/auth-collections/login', person)).status).toBe(200);
    await expect.poll(async () => (await new Client(urls[0]!).get('/readyz')).status).toBe(200);
    await regenerateKey(t.control, ref);
    for (const client of [one, two]) await untilAnswer(() => client.get('/collections'), isRefused);
  }
});

/** The first database, through the pooler. */
const pooledCells = (limits: { size: number; statementTimeoutMs: number }) =>
  new Cells(
    new Map([[1, t.config.DATABASE_URL]]),
    {
      ...limits,
      connectTimeoutMs: 60_000,
      pooled: { urls: new Map([[1, pooler.through(t.config.DATABASE_URL)]]), keepsStatements: false },
    },
    pino({ level: 'silent' }),
  );

test('the time limit of statements holds through a pooler, and leaves no statement behind', async () => {
  const cells = pooledCells({ size: 2, statementTimeoutMs: 3000 });
  const db = cells.forProject({ id: '1', cell: 1 });
  const slow = () => db.query(sql`SELECT pg_sleep(30), ${db.scope}::bigint AS project`);
  const startedAt = performance.now();
  await expect(slow()).rejects.toSatisfy(isTimeout);
  await expect(
    db.transaction((db) => db.query(sql`SELECT pg_sleep(30), ${db.scope}::bigint AS project`)),
  ).rejects.toSatisfy(isTimeout);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  const direct = new PgClient({ connectionString: t.config.DATABASE_URL });
  await direct.connect();
  const { rows } = await direct.query(`SELECT FROM pg_stat_activity
    WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%' AND datname = current_database()`);
  expect(rows).toEqual([]);
  expect(await db.query(sql`SELECT ${db.scope}::text AS project`)).toEqual([{ project: '1' }]);
  await direct.end();
  await cells.close();
});

test('behind a pooler too, a project that waits for itself is told so, and not that the database is away', async () => {
  const cells = pooledCells({ size: 1, statementTimeoutMs: 30_000 });
  const [db, lookups] = [cells.forProject({ id: '1', cell: 1 }), cells.lookups({ id: '1', cell: 1 })];
  const slow = db.query(sql`SELECT pg_sleep(6), ${db.scope}::bigint AS project`);
  const waits = expect(db.query(sql`SELECT ${db.scope}::bigint AS project`)).rejects.toMatchObject({
    code: 'too_many_queries',
  });
  await lookups.query(sql`SELECT ${db.scope}::bigint AS project`);
  await waits;
  await slow;
  await cells.close();
});
