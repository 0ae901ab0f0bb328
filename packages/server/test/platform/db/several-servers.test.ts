// @postgres newest
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cells } from '../../../src/platform/db/cells.ts';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { type LocalPostgres, startLocalPostgres } from '../../../src/platform/db/local-postgres.ts';
import { createPool } from '../../../src/platform/db/pool.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';

const settings = { fsync: 'off', max_connections: '40', shared_buffers: '16MB' };
const log = pino({ level: 'silent' });
const patienceMs = 60_000;

let folder: string;
let primary: LocalPostgres;
let standby: LocalPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-servers-'));
  execFileSync('chmod', ['711', folder]);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await (await startLocalPostgres({ folder: first, settings })).stop();
  // A copy that follows nobody is as much a standby as any.
  execFileSync('cp', ['-a', first, second]);
  execFileSync('cp', [
    '-a',
    join(second, 'cluster', 'PG_VERSION'),
    join(second, 'cluster', 'standby.signal'),
  ]);
  primary = await startLocalPostgres({ folder: first, settings });
  standby = await startLocalPostgres({ folder: second, settings });
});
afterAll(async () => {
  await primary.stop();
  await standby.stop();
  await rm(folder, { recursive: true, force: true });
});

const portOf = (postgres: LocalPostgres) => Number(new URL(postgres.url('postgres')).port);

/** Names the standby first. */
const bothAsHosts = () =>
  standby.url('postgres').replace(`:${portOf(standby)}`, (port) => `${port},127.0.0.1:${portOf(primary)}`);

function bothAsParameters(): string {
  const { username, password } = new URL(primary.url('postgres'));
  const parameters = `host=127.0.0.1,127.0.0.1&port=${portOf(standby)},${portOf(primary)}`;
  return `postgres://${username}:${password}@/postgres?${parameters}`;
}

const askPort = 'SELECT inet_server_port() AS port';

test('a standby alone is refused: what it says may be old', async () => {
  const server = new DatabaseServer(standby.url('postgres'), patienceMs);
  const pool = createPool(server, { size: 1, statementTimeoutMs: patienceMs }, log);
  await expect(pool.query(askPort)).rejects.toMatchObject({ code: '25006' });
  await pool.end();
});

test('where several servers are named, every connection leads to the primary', async () => {
  const options = { size: 2, statementTimeoutMs: patienceMs, connectTimeoutMs: patienceMs };
  for (const url of [bothAsHosts(), bothAsParameters()]) {
    const cells = new Cells(new Map([[1, url]]), options, log);
    const listener = new InvalidationListener(cells.servers.get(1)!, log);
    await listener.start();
    expect(listener.isCurrent).toBe(true);
    expect((await cells.pool(1).query(askPort)).rows).toEqual([{ port: portOf(primary) }]);
    const { signal } = new AbortController();
    const { rows } = await cells.session(1, signal, (connection) => connection.query(askPort));
    expect(rows).toEqual([{ port: portOf(primary) }]);
    await listener.close();
    await cells.close();
  }
});

test('when the primary is gone and a standby has taken its place, connections lead there', async () => {
  const server = new DatabaseServer(bothAsHosts(), patienceMs);
  const pool = createPool(server, { size: 3, statementTimeoutMs: patienceMs }, log);
  const ports = async () => (await pool.query(askPort)).rows;
  await Promise.all([ports(), ports(), ports()]);
  await primary.stop();
  await expect(Promise.all([ports(), ports()])).rejects.toThrow();
  const client = new Client({ connectionString: standby.url('postgres') });
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
  expect(await ports()).toEqual([{ port: portOf(standby) }]);
  await pool.end();
});
