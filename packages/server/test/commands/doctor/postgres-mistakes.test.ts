// @postgres newest
// @needs redis pgbouncer
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { examine } from '../../../src/commands/doctor/run-doctor.ts';
import { type LocalPostgres, startLocalPostgres } from '../../../src/platform/db/local-postgres.ts';
import { emptyDatabase, onPostgres } from '../../support/nodes/empty-database.ts';
import { startPgBouncer } from '../../support/pgbouncer.ts';
import { useTestApp } from '../../support/test-app.ts';
import { testDatabases } from '../../support/test-databases.ts';
import { environmentOf, findingIn } from './deployment.ts';

const t = useTestApp({ REDIS_URL: `${inject('redisUrl')}/9` });
const environment = (changes?: Record<string, string>) => environmentOf(t, changes);
const findingOf = (id: string, changes: Record<string, string>, processes?: number) =>
  findingIn(id, environment(changes), processes);
/** What one check says of every cell. */
async function findingsOf(id: string, changes: Record<string, string>) {
  const { checks } = await examine(environment(changes));
  return checks.filter((check) => check.id === id);
}

const anotherUser = (url: string, username: string) =>
  Object.assign(new URL(url), { username, password: '' }).href;
const withoutCells = { CELL_DATABASE_URLS: '' };

describe('plinth doctor finds and names', () => {
  test('a wrong collation', async () => {
    const url = await emptyDatabase(
      "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'",
    );
    await expect
      .poll(() => findingOf('database-collation', { DATABASE_URL: url, ...withoutCells }))
      .toMatchObject({
        status: 'problem',
        found: expect.stringMatching(/collation C\.UTF-8; Plinth needs UTF8 and C/i),
        advice: expect.stringContaining("LC_COLLATE 'C'"),
        page: 'docs/projects.md#in-production',
      });
  });

  test('a transaction pooler as DATABASE_URL', async () => {
    await using pooler = await startPgBouncer(inject('postgresUrl'));
    const DATABASE_URL = pooler.through(t.config.DATABASE_URL);
    await expect
      .poll(() => findingsOf('direct-connection', { DATABASE_URL }))
      .toMatchObject([
        { cell: 1, status: 'problem', found: expect.stringContaining('pooler in transaction mode') },
        { cell: 2, status: 'ok' },
      ]);
  });

  test('a schema of an earlier version', async () => {
    await using databases = await testDatabases();
    const client = new Client({ connectionString: databases.second });
    await client.connect();
    await client.query(`DELETE FROM cell.migrations WHERE name = (SELECT max(name) FROM cell.migrations)`);
    await client.end();
    const changes = { CELL_DATABASE_URLS: `2=${databases.second}` };
    await expect
      .poll(() => findingsOf('schema', changes))
      .toMatchObject([
        { cell: 1, status: 'ok' },
        {
          cell: 2,
          status: 'problem',
          found: expect.stringContaining('1 migration was not applied: cell/'),
          advice: expect.stringContaining('plinth migrate'),
        },
      ]);
  });

  test('too few connections for the processes that are to run', async () => {
    await expect.poll(() => findingOf('connections', {}, 1)).toMatchObject({ status: 'ok' });
    await expect
      .poll(() => findingOf('connections', {}, 20))
      .toMatchObject({
        status: 'problem',
        // 20 × (10 + 5 + 6 + 6 + 1) + 2 × 4 + 1, for each of two cells.
        found: expect.stringContaining('20 processes need up to 1138, for 2 cells'),
      });
  });

  test('a user without the right to replicate', async () => {
    const role = `doctor_${Date.now()}`;
    await onPostgres(`CREATE ROLE ${role} LOGIN`);
    try {
      const changes = { DATABASE_URL: anotherUser(t.config.DATABASE_URL, role), ...withoutCells };
      await expect
        .poll(() => findingOf('replication-right', changes))
        .toMatchObject({
          status: 'problem',
          found: expect.stringContaining('replication connection is rejected'),
        });
    } finally {
      await onPostgres(`DROP ROLE ${role}`);
    }
  });

  test('a database that never answers, without hanging itself', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => silent.once('listening', listening));
    const { port } = silent.address() as { port: number };
    const said: string[] = [];
    const look = async () => {
      const begun = performance.now();
      const { checks } = await examine(
        environment({ DATABASE_URL: `postgres://plinth:hush@127.0.0.1:${port}/plinth` }),
      );
      said.push(JSON.stringify(checks));
      return {
        isInTime: performance.now() - begun < 20_000,
        connections: checks.filter(({ id }) => id === 'database-connection'),
        walLevel: checks.find(({ id }) => id === 'wal-level'),
      };
    };
    await expect.poll(look).toMatchObject({
      isInTime: true,
      connections: [
        { cell: 1, status: 'problem' },
        { cell: 2, status: 'ok' },
      ],
      walLevel: { status: 'unchecked' },
    });
    silent.close();
    expect(said.join('')).not.toContain('hush');
  });
});

describe('plinth doctor finds and names what is wrong with a server of PostgreSQL', () => {
  let folder: string;
  let postgres: LocalPostgres;
  const start = (settings: Record<string, string>) =>
    startLocalPostgres({ folder: join(folder, 'postgres'), settings });
  const wrong = {
    wal_level: 'replica',
    max_connections: '10',
    fsync: 'off',
    autovacuum: 'off',
    max_wal_senders: '4',
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-doctor-'));
    await chmod(folder, 0o711);
    postgres = await start(wrong);
  });
  afterAll(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const statuses = async () => {
    const { checks } = await examine(
      environment({ DATABASE_URL: postgres.url('postgres'), ...withoutCells }),
    );
    return Object.fromEntries(checks.map(({ id, status }) => [id, status]));
  };

  test('wal_level, fsync, autovacuum, the limit of slots, connections, a schema that is missing', async () => {
    await expect
      .poll(() => statuses())
      .toMatchObject({
        'database-connection': 'ok',
        'database-version': 'ok',
        'wal-level': 'problem',
        durability: 'problem',
        vacuum: 'problem',
        'slot-wal-limit': 'warning',
        'wal-archive': 'warning',
        connections: 'problem',
        schema: 'problem',
        'replication-right': 'ok',
      });
  });

  test('a server whose connections are all taken', async () => {
    const taken: Client[] = [];
    try {
      for (let refused = false; !refused; ) {
        const client = new Client({ connectionString: postgres.url('postgres') });
        client.on('error', () => {});
        refused = await client.connect().then(
          () => false,
          () => true,
        );
        if (!refused) taken.push(client);
      }
      const changes = { DATABASE_URL: postgres.url('postgres'), ...withoutCells };
      await expect
        .poll(() => findingOf('database-connection', changes))
        .toMatchObject({
          status: 'problem',
          found: expect.stringContaining('All connections'),
          advice: expect.stringContaining('max_connections'),
        });
    } finally {
      await Promise.all(taken.map((client) => client.end()));
    }
  });

  test('an archive that takes nothing', async () => {
    await postgres.stop();
    postgres = await start({ ...wrong, archive_mode: 'on', archive_command: '/bin/false' });
    const client = new Client({ connectionString: postgres.url('postgres') });
    await client.connect();
    await client.query(`CREATE TABLE written (); SELECT pg_switch_wal()`);
    await client.end();
    await expect.poll(statuses).toMatchObject({ 'wal-archive': 'problem' });
  });

  test('a standby', async () => {
    await postgres.stop();
    await writeFile(join(folder, 'postgres/cluster/standby.signal'), '', { mode: 0o666 });
    postgres = await start(wrong);
    await expect
      .poll(() => statuses())
      .toMatchObject({ 'database-connection': 'ok', 'database-primary': 'problem' });
  });
});
