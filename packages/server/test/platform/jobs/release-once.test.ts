import { Pool, type PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { releaseOnce } from '../../../src/platform/jobs/release-once.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

type Connection = [client: PoolClient, release: () => void];

const connected = (pool: Pool) =>
  new Promise<Connection>((resolve, reject) =>
    pool.connect((error, client, release) => (client ? resolve([client, release]) : reject(error))),
  );

test('a connection that the queue releases twice is released once, and the pool goes on', async () => {
  const pool = new Pool({ connectionString: t.config.DATABASE_URL, max: 1 });
  try {
    const [, releaseOfPool] = await connected(pool);
    releaseOfPool();
    expect(releaseOfPool).toThrow('already been released');
    releaseOnce(pool);
    const [first, release] = await connected(pool);
    release();
    release();
    const [second, again] = await connected(pool);
    expect(second).toBe(first);
    again();
    const client = await pool.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    client.release();
  } finally {
    await pool.end();
  }
});

test('who asks a pool that has ended for a connection may release what it did not get', async () => {
  const pool = new Pool();
  releaseOnce(pool);
  await pool.end();
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  pool.connect((error, _client, release) => {
    release();
    resolve(error);
  });
  expect(await promise).toMatchObject({ message: expect.stringContaining('after calling end') });
});
