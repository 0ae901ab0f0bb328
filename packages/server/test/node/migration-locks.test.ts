// @postgres newest
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { Client } from '../support/client.ts';
import { newCollection, newDocument } from '../support/data/new-collection.ts';
import { type TestApp, useTestApp } from '../support/test-app.ts';

const t = useTestApp({ STATEMENT_TIMEOUT_MS: '20000', QUERY_TIMEOUT_MS: '20000' });

/** Applies one more migration to the first cell. */
async function apply(name: string, text: string): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'plinth-migrations-'));
  try {
    await mkdir(join(root, 'cell'));
    await writeFile(join(root, 'cell', name), text);
    return await migrate('cell', t.config.DATABASE_URL, pathToFileURL(`${root}/`));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Keeps a table from others, or only from migrations, until it is told to let go. */
async function hold(app: TestApp, statement: string): Promise<() => Promise<void>> {
  const connection = await app.cells.pool(1).connect();
  await connection.query('BEGIN');
  await connection.query(statement);
  return async () => {
    connection.release(true);
  };
}

test('a migration that has to wait for a long read lets calls go on, and is applied after it', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { n: 0 });
  const letGo = await hold(t, 'SELECT count(*) FROM cell.documents');
  let isApplied = false;
  const applying = apply('9001_wait.sql', 'ALTER TABLE cell.documents ADD COLUMN planted text;').then(
    (done) => {
      isApplied = true;
      return done;
    },
  );
  const until = performance.now() + 5000;
  const caller = async (n: number) => {
    while (performance.now() < until) {
      const replies = [
        await t.api.get(`${path}/${id}`),
        await t.api.post(path, { n }),
        await t.api.get(`${path}?n__gte=0&sort=n`),
      ];
      expect(replies.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
    }
  };
  await Promise.all(Array.from({ length: 4 }, (_, n) => caller(n)));
  expect(isApplied).toBe(false);
  await letGo();
  expect(await applying).toEqual(['cell/9001_wait.sql']);
  expect((await t.api.get(`${path}/${id}`)).status).toBe(200);
});

test('who waits for a table in vain is told to come back, not that the call was wrong', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { n: 0 });
  const { url } = await t.node({ STATEMENT_TIMEOUT_MS: '3000', QUERY_TIMEOUT_MS: '3000' });
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  const letGo = await hold(t, 'LOCK TABLE cell.documents IN ACCESS EXCLUSIVE MODE');
  const replies = await Promise.all([
    api.post(path, { n: 1 }),
    api.patch(`${path}/${id}`, { n: 1 }),
    api.delete(`${path}/${id}`),
    api.get(`${path}/${id}`),
    api.get(`${path}?n__gte=0&sort=n`),
  ]);
  await letGo();
  for (const reply of replies) expect(reply).toFailWith(503, 'engine_unavailable');
});

test('an index of a table in use is built beside reads and writes, again if it broke off', async () => {
  const steps = `-- Outside a transaction: calls go on.
    DROP INDEX CONCURRENTLY IF EXISTS cell.planted_index;
    CREATE INDEX CONCURRENTLY planted_index ON cell.documents (updated_at);`;
  const { path } = await newCollection(t.api);
  await t.cells.pool(1).query('CREATE INDEX planted_index ON cell.documents (updated_at)');
  const letGo = await hold(t, 'SELECT count(*) FROM cell.documents');
  const applying = apply('9002_index.sql', steps);
  await expect
    .poll(async () => {
      const { rowCount } = await t.cells
        .pool(1)
        .query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'plinth migrate' AND wait_event_type = 'Lock'`,
        );
      return rowCount;
    })
    .toBe(1);
  expect((await t.api.post(path, { n: 1 })).status).toBe(201);
  expect((await t.api.get(path)).status).toBe(200);
  await letGo();
  expect(await applying).toEqual(['cell/9002_index.sql']);
  expect(await apply('9002_index.sql', steps)).toEqual([]);
});
