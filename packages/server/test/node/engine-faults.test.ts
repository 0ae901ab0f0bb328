// @postgres newest
import { expect, inject, test } from 'vitest';
import { DatabaseServer } from '../../src/platform/db/database-server.ts';
import { createPool } from '../../src/platform/db/pool.ts';
import { Client } from '../support/client.ts';
import { cuttableLine } from '../support/cuttable-line.ts';
import { newCollection, newDocument } from '../support/data/new-collection.ts';
import { isMissing } from '../support/is-missing.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('an error of SQL keeps its connection, one that leaves its state unknown does not', async () => {
  const server = new DatabaseServer(t.config.DATABASE_URL, 60_000);
  const pool = createPool(server, { size: 1, statementTimeoutMs: 3000 }, { warn: () => {} });
  const process = async () => (await pool.query('SELECT pg_backend_pid() AS id')).rows[0].id as number;
  const first = await process();
  await expect(pool.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  await expect(pool.query('SELECT pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
  expect(await process()).toBe(first);
  const readOnly = 'SET default_transaction_read_only = on';
  await pool.query(readOnly);
  await expect(pool.query('CREATE TABLE cell.planted ()')).rejects.toMatchObject({ code: '25006' });
  const second = await process();
  expect(second).not.toBe(first);
  await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  expect(await process()).not.toBe(second);
  await pool.end();
});

test('a database that takes no writes answers reads, and is told of as away for writes, until it takes them again', async () => {
  const [, { cell, apiKey }] = t.projects;
  const api = new Client((await t.node()).url, { 'x-api-key': apiKey });
  const { path } = await newCollection(api);
  const { id } = await newDocument(api, path, { n: 0 });
  const { rows } = await t.cells.pool(cell).query<{ name: string }>('SELECT current_database() AS name');
  const set = async (to: string) => {
    const connection = await t.cells.pool(cell).connect();
    await connection.query(`BEGIN READ WRITE`);
    await connection.query(`ALTER DATABASE ${rows[0]!.name} SET default_transaction_read_only = ${to}`);
    await connection.query('COMMIT');
    connection.release();
    await t.cells.pool(cell).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'plinth' AND pid <> pg_backend_pid()`);
  };
  await set('on');
  await expect
    .poll(() => api.post(path, { n: 1 }))
    .toMatchObject({
      status: 503,
      body: { error: { code: 'engine_unavailable' } },
    });
  expect((await api.get(`${path}/${id}`)).status).toBe(200);
  await set('off');
  await expect.poll(async () => (await api.post(path, { n: 1 })).status).toBe(201);
});

/** Calls while nobody may touch documents, ends the processes that wait for them, and lets the others go on. */
async function cutOff<Result>(call: () => Promise<Result>): Promise<Result> {
  const connection = await t.cells.pool(1).connect();
  try {
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE cell.documents IN ACCESS EXCLUSIVE MODE');
    const calling = call();
    await expect.poll(endWaiting).toBeGreaterThan(0);
    await connection.query('ROLLBACK');
    return await calling;
  } finally {
    connection.release(true);
  }
}

/** Outside the transaction, which would see the same processes all the time. */
async function endWaiting(): Promise<number> {
  const { rows } = await t.cells.pool(1).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'plinth'`);
  return rows.length;
}

test('a read whose connection breaks is sent once more, a write is not', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { n: 0 });
  expect((await cutOff(() => t.api.get(`${path}/${id}`))).status).toBe(200);
  expect((await cutOff(() => t.api.get(path))).status).toBe(200);
  expect((await cutOff(() => t.api.get(`${path}?n__gte=0&orderBy=n`))).status).toBe(200);
  expect(await cutOff(() => t.api.post(path, { n: 1 }))).toFailWith(503, 'engine_unavailable');
  const { body } = await t.api.get(path);
  expect(body.data).toHaveLength(1);
});

test.skipIf(isMissing('redis'))(
  'while Redis is away, /readyz says that changes do not pass either',
  async () => {
    await using line = await cuttableLine(inject('redisUrl'));
    const { adminUrl } = await t.node({ REDIS_URL: line.url.replace('http:', 'redis:') });
    const engines = async () =>
      (await new Client(adminUrl).get('/readyz')).body.engines as Record<string, string>;
    const passing = { counters: 'ok', 'changes of cell 1': 'ok', 'changes of cell 2': 'ok' };
    await expect.poll(engines).toMatchObject(passing);
    line.cut();
    const away = {
      counters: 'away',
      'changes of cell 1': 'away',
      'changes of cell 2': 'away',
      'cell 1': 'ok',
    };
    await expect.poll(engines).toMatchObject(away);
    line.mend();
    await expect.poll(engines).toMatchObject(passing);
  },
);
