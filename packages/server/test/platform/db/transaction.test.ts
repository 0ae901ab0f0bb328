import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../src/platform/db/pool.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let pool: Pool;

beforeAll(async () => {
  pool = new Pool({ connectionString: t.config.DATABASE_URL, max: 1 });
  await pool.query('CREATE TEMP TABLE noted (word text)');
});
afterAll(() => pool.end());

const words = async () =>
  (await run<{ word: string }>(pool, sql`SELECT word FROM noted`)).map(({ word }) => word);

test('work that overlooks a failed statement is not called committed', async () => {
  const overlooking = inTransaction(pool, async (connection) => {
    await run(connection, sql`INSERT INTO noted VALUES ('lost')`);
    await run(connection, sql`SELECT 1 / 0`).catch(() => {});
    return 'committed';
  });
  await expect(overlooking).rejects.toThrow('ended with ROLLBACK instead of COMMIT');
  expect(await words()).toEqual([]);
});

test('a statement that comes after the end of its transaction is not run in that of another', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  await inTransaction(pool, async (connection) => {
    await run(connection, sql`INSERT INTO noted VALUES ('in time')`);
    late = isOver.then(() => run(connection, sql`INSERT INTO noted VALUES ('late')`));
  });
  await inTransaction(pool, async () => {
    end();
    await expect(late).rejects.toThrow('after the end of its transaction');
  });
  expect(await words()).toEqual(['in time']);
});
