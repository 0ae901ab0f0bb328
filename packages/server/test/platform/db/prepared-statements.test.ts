import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPool, type Pool, run } from '../../../src/platform/db/pool.ts';
import { mostPrepared } from '../../../src/platform/db/prepared-texts.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { testDatabases } from '../../support/test-databases.ts';

/** On a connection that is the only one of its pool. */
const ask = (pool: Pool, number: number) =>
  run<{ number: number }>(pool, sql`SELECT ${number}::int AS number`, `list ${number}`);

test('a connection forgets prepared statements that were not used for long, and prepares them again', async () => {
  await using databases = await testDatabases();
  const pool = createPool(databases.first, { size: 1, statementTimeoutMs: 60_000 }, pino({ level: 'fatal' }));
  const prepared = async () => {
    const rows = await run<{ name: string }>(pool, sql`SELECT name FROM pg_prepared_statements`);
    return new Set(rows.map(({ name }) => name));
  };
  for (let number = 0; number < mostPrepared; number += 1) await ask(pool, number);
  expect((await prepared()).size).toBe(mostPrepared);
  // Used again, so that it is not the next to go.
  await ask(pool, 0);
  for (let number = 0; number < 50; number += 1) await ask(pool, mostPrepared + number);
  const kept = await prepared();
  expect(kept.size).toBe(mostPrepared);
  expect(kept).toContain('list 0');
  expect(kept).not.toContain('list 1');
  expect(await ask(pool, 1)).toEqual([{ number: 1 }]);
  expect(await prepared()).toContain('list 1');
  await pool.end();
});
