// @postgres newest
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packagedBinaries } from '../../src/platform/db/local-binaries.ts';
import { startLocalPostgres } from '../../src/platform/db/local-postgres.ts';

const isRoot = process.getuid?.() === 0;

/** A home that its owner alone can enter, with everything in it. */
let home: string;
/** Where everyone can read. */
let outside: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plinth-home-'));
  outside = await mkdtemp(join(tmpdir(), 'plinth-outside-'));
  execFileSync('chmod', ['755', outside]);
});
afterAll(async () => {
  for (const folder of [home, outside]) await rm(folder, { recursive: true, force: true });
});

test.skipIf(!isRoot)('root in a home of mode 0700 gets a PostgreSQL, once and again', async () => {
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  const { initdb, postgres } = await packagedBinaries();
  const native = join(home, 'node_modules', 'native');
  await mkdir(dirname(native), { recursive: true });
  await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
  const bin = (file: string) => join(native, 'bin', file.slice(file.lastIndexOf('/') + 1));
  const options = {
    folder: join(home, '.plinth', 'postgres'),
    binaries: { initdb: bin(initdb), postgres: bin(postgres) },
    copies: join(outside, 'copies'),
  };
  for (const expected of [0, 1]) {
    const server = await startLocalPostgres(options);
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS starts (at timestamptz)');
    expect((await client.query('SELECT FROM starts')).rowCount).toBe(expected);
    await client.query('INSERT INTO starts VALUES (now())');
    await client.end();
    await server.stop();
  }
  expect(await readdir(options.copies)).toHaveLength(1);
});
