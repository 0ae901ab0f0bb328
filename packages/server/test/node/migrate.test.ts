import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { emptyDatabase, onPostgres } from '../support/nodes/empty-database.ts';
import { runPlinth } from '../support/nodes/plinth-process.ts';

test('five processes that migrate an empty database at once do it once, and all succeed', async () => {
  const DATABASE_URL = await emptyDatabase();
  const runs = await Promise.all(Array.from({ length: 5 }, () => runPlinth(['migrate'], { DATABASE_URL })));
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    runs.map(() => ({ code: 0, stderr: '' })),
  );
  const applied = runs.flatMap(({ stdout }) =>
    stdout.split('\n').filter((line) => /^applied (control|cell)\//.test(line)),
  );
  expect(applied.length).toBeGreaterThan(1);
  expect(new Set(applied).size).toBe(applied.length);
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT 'control/' || name AS name FROM control.migrations UNION ALL SELECT 'cell/' || name FROM cell.migrations`,
    );
    expect(rows).toHaveLength(applied.length);
  } finally {
    await client.end();
  }
});

test('a database that sorts text otherwise is refused, with the command that makes a right one', async () => {
  const DATABASE_URL = await emptyDatabase(
    "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
  );
  const { code, stdout, stderr } = await runPlinth(['migrate'], { DATABASE_URL });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`Database "${DATABASE_URL.split('/').at(-1)}" must be UTF-8 with collation C.`);
  expect(stderr).not.toMatch(/^\s+at /m);
  const made = `made_${Date.now()}`;
  await onPostgres(/CREATE DATABASE plinth .*;/.exec(stderr)![0].replace('plinth', made));
  expect(await migrate('control', inject('postgresUrl').replace(/[^/]*$/, made))).not.toEqual([]);
});

test.each(['LATIN1', 'SQL_ASCII'])('a database in %s is refused', async (encoding) => {
  const url = await emptyDatabase(`TEMPLATE template0 ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`);
  await expect(migrate('cell', url)).rejects.toThrow('must be UTF-8 with collation C');
});
