// @postgres newest
// @needs redis pgbouncer faketime

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutBucketCorsCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { examine } from '../../src/commands/doctor/run-doctor.ts';
import { migrateAll } from '../../src/commands/migrate.ts';
import { withCells } from '../../src/commands/with-cells.ts';
import { addOrigin, createProject } from '../../src/features/control/projects/index.ts';
import { createNode } from '../../src/node/node.ts';
import { createS3Client } from '../../src/platform/blobs/s3/client.ts';
import { parseConfig } from '../../src/platform/config/config.ts';
import { ControlDb } from '../../src/platform/db/control-db.ts';
import {
  ensureDatabase,
  type LocalPostgres,
  startLocalPostgres,
} from '../../src/platform/db/local-postgres.ts';
import { findFaketime } from '../support/engines.ts';
import { isMissing } from '../support/is-missing.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { TestBucket } from '../support/new-bucket.ts';
import { emptyDatabase, onPostgres } from '../support/nodes/empty-database.ts';
import { runPlinth } from '../support/nodes/plinth-process.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { startSmallServer } from '../support/small-server.ts';
import { useTestApp } from '../support/test-app.ts';
import { testBucket } from '../support/test-bucket.ts';
import { testDatabases } from '../support/test-databases.ts';

const t = useTestApp({ REDIS_URL: `${inject('redisUrl')}/9` });

/** The environment of the node that these tests run on. */
const environment = (changes: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: t.config.DATABASE_URL,
  CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
  SECRET_KEY: t.config.SECRET_KEY,
  FILES_FOLDER: t.config.FILES_FOLDER ?? '',
  REDIS_URL: t.config.REDIS_URL ?? '',
  PUBLIC_URL: t.url,
  ...changes,
});

/** What a check says of the deployment with a mistake in it. */
async function findingOf(id: string, changes: Record<string, string>, processes?: number) {
  const { checks } = await examine(environment(changes), processes);
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`There is no check ${id}: ${checks.map((check) => check.id).join(', ')}`);
  return found;
}

const anotherUser = (url: string, username: string) =>
  Object.assign(new URL(url), { username, password: '' }).href;
const withoutCells = { CELL_DATABASE_URLS: '' };
const bucketSettings = ({ bucket, endpoint, region, credentials }: TestBucket) => ({
  FILES_FOLDER: '',
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

describe('plinth doctor finds and names', () => {
  test('a setting that is missing or wrong, and one that is misspelt', async () => {
    const { SECRET_KEY: _, ...rest } = environment({
      PORT: 'http',
      S3_BUKET: 'files',
      PLINTH_REDIS_URL: 'x',
    });
    const { healthy, checks } = await examine(rest);
    expect(healthy).toBe(false);
    expect(checks).toMatchObject([
      {
        id: 'configuration',
        status: 'problem',
        found: expect.stringMatching(/PORT[\s\S]*SECRET_KEY is missing|SECRET_KEY is missing[\s\S]*PORT/),
      },
      {
        id: 'unknown-settings',
        status: 'warning',
        found: expect.stringContaining('S3_BUKET (S3_BUCKET?), PLINTH_REDIS_URL (REDIS_URL?)'),
      },
    ]);
  });

  test('a wrong collation', async () => {
    const url = await emptyDatabase(
      "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'",
    );
    expect(await findingOf('database-collation', { DATABASE_URL: url, ...withoutCells })).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/collation C\.UTF-8; Plinth needs UTF8 and C/i),
      advice: expect.stringContaining("LC_COLLATE 'C'"),
      page: 'docs/projects.md#in-production',
    });
  });

  test('a transaction pooler as DATABASE_URL', async () => {
    await using pooler = await startPgBouncer(inject('postgresUrl'));
    const DATABASE_URL = pooler.through(t.config.DATABASE_URL);
    const { checks } = await examine(environment({ DATABASE_URL }));
    expect(checks.filter(({ id }) => id === 'direct-connection')).toMatchObject([
      { cell: 1, status: 'problem', found: expect.stringContaining('pooler in transaction mode') },
      { cell: 2, status: 'ok' },
    ]);
  });

  test('a Redis that evicts', async () => {
    const redis = await startRedis({ args: ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'] });
    try {
      const { checks } = await examine(environment({ REDIS_URL: redis.url }));
      const statuses = Object.fromEntries(checks.map(({ id, status }) => [id, status]));
      expect(statuses).toMatchObject({ 'redis-eviction': 'problem', 'redis-memory': 'warning' });
    } finally {
      await redis.stop();
    }
    expect(await findingOf('redis-connection', { REDIS_URL: redis.url })).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('cannot be used'),
    });
  });

  test('a schema of an earlier version', async () => {
    await using databases = await testDatabases();
    const client = new Client({ connectionString: databases.second });
    await client.connect();
    await client.query(`DELETE FROM cell.migrations WHERE name = (SELECT max(name) FROM cell.migrations)`);
    await client.end();
    const { checks } = await examine(environment({ CELL_DATABASE_URLS: `2=${databases.second}` }));
    expect(checks.filter(({ id }) => id === 'schema')).toMatchObject([
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
    expect(await findingOf('connections', {}, 1)).toMatchObject({ status: 'ok' });
    expect(await findingOf('connections', {}, 20)).toMatchObject({
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
      expect(await findingOf('replication-right', changes)).toMatchObject({
        status: 'problem',
        found: expect.stringContaining('replication connection is refused'),
      });
    } finally {
      await onPostgres(`DROP ROLE ${role}`);
    }
  });

  test('another SECRET_KEY than that of what is stored', async () => {
    await t.anonymous.get('/.well-known/jwks.json');
    const SECRET_KEY = 'another-secret-than-that-of-the-node';
    expect(await findingOf('secret-key', { SECRET_KEY })).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('SECRET_KEY does not open what is stored: signing keys'),
    });
    const both = { SECRET_KEY, OLD_SECRET_KEYS: t.config.SECRET_KEY };
    expect(await findingOf('secret-key', both)).toMatchObject({ status: 'ok' });
  });

  test('a mail server that is away, or refuses the login, or is not configured', async () => {
    const MAIL_FROM = 'no-reply@example.com';
    const away = { MAIL_FROM, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
    expect(await findingOf('mail', away)).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('ECONNREFUSED'),
    });
    await using server = await startMailServer({ auth: { user: 'plinth', pass: 'right' } });
    const wrong = { MAIL_FROM, SMTP_URL: server.url.replace('right', 'wrongpass') };
    const refused = await findingOf('mail', wrong);
    expect(refused).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('user and password'),
    });
    expect(JSON.stringify(refused)).not.toContain('wrongpass');
    expect(await findingOf('mail', {})).toMatchObject({ status: 'warning' });
  });

  test('a PUBLIC_URL that leads elsewhere', async () => {
    await using other = await startSmallServer(() => ({ hello: 'world' }));
    const found = () => findingOf('public-url', { PUBLIC_URL: other.url });
    expect(await found()).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('something else than Plinth'),
    });
    other.answer(() => ({ keys: [{ kid: 'of-another' }] }));
    expect(await found()).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('another deployment'),
    });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await findingOf('public-url', { PUBLIC_URL: nobody })).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('does not answer'),
    });
    expect(await findingOf('public-url', {})).toMatchObject({ status: 'ok' });
  });

  test('proxies that are not known, and believing everybody', async () => {
    expect(await findingOf('trust-proxy', { PUBLIC_URL: 'https://127.0.0.1:1' })).toMatchObject({
      status: 'warning',
    });
    expect(await findingOf('trust-proxy', { TRUST_PROXY: '10.0.0.0/8, 0.0.0.0/0' })).toMatchObject({
      status: 'problem',
    });
  });

  test('an admin port on a public address, and accounts for everybody without limits', async () => {
    const changes = { ADMIN_PORT: '9400', ADMIN_HOST: '8.8.8.8', ACCOUNT_SIGNUP: 'open' };
    expect(await findingOf('admin-port', changes)).toMatchObject({ status: 'problem' });
    expect(await findingOf('open-sign-up', changes)).toMatchObject({ status: 'warning' });
  });

  test('a collection that anybody may write to', async () => {
    const { ref, api } = await t.createProject();
    await api.post('/collections', { name: 'guests', settings: { rules: { create: 'public' } } });
    const { checks } = await examine(environment());
    const found = checks.filter(({ id, status }) => id === 'open-collections' && status === 'warning');
    expect(found).toMatchObject([{ found: expect.stringContaining(`${ref}/guests`) }]);
  });

  test('a folder for files that cannot be written', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'plinth-doctor-')), 'a-file');
    await writeFile(file, '');
    expect(await findingOf('files', { FILES_FOLDER: file })).toMatchObject({ status: 'problem' });
    expect(await findingOf('files', { FILES_FOLDER: '' })).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('no place'),
    });
  });

  test.skipIf(isMissing('s3'))('a bucket without the right to write, and one that is not there', async () => {
    const bucket = await testBucket();
    const client = createS3Client(bucket);
    const denied = {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 's3:PutObject',
          Resource: `arn:aws:s3:::${bucket.bucket}/*`,
        },
      ],
    };
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket.bucket, Policy: JSON.stringify(denied) }));
    client.destroy();
    expect(await findingOf('files', bucketSettings(bucket))).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('to write failed'),
      advice: expect.stringContaining('s3:PutObject'),
    });
    const none = { ...bucketSettings(bucket), S3_BUCKET: 'not-there' };
    expect(await findingOf('files', none)).toMatchObject({ status: 'problem' });
  });

  test('a clock that is wrong', async () => {
    const { code, stdout } = await runPlinth(['doctor', '--json'], {
      ...environment(),
      LD_PRELOAD: findFaketime() ?? '',
      FAKETIME: '+90s',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: { id: string }[] };
    expect(checks.find(({ id }) => id === 'clocks')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/(89|90)\.\d s ahead of/),
    });
  });

  test('a database that never answers, without hanging itself', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => silent.once('listening', listening));
    const { port } = silent.address() as { port: number };
    const begun = performance.now();
    const { checks } = await examine(
      environment({ DATABASE_URL: `postgres://plinth:hush@127.0.0.1:${port}/plinth` }),
    );
    expect(performance.now() - begun).toBeLessThan(8000);
    silent.close();
    const connections = checks.filter(({ id }) => id === 'database-connection');
    expect(connections).toMatchObject([
      { cell: 1, status: 'problem' },
      { cell: 2, status: 'ok' },
    ]);
    expect(checks.find(({ id }) => id === 'wal-level')).toMatchObject({ status: 'unchecked' });
    expect(JSON.stringify(checks)).not.toContain('hush');
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
    expect(await statuses()).toMatchObject({
      'database-connection': 'ok',
      'database-version': 'ok',
      'wal-level': 'problem',
      durability: 'problem',
      vacuum: 'problem',
      'slot-wal-limit': 'warning',
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
      expect(await findingOf('database-connection', changes)).toMatchObject({
        status: 'problem',
        found: expect.stringContaining('All connections'),
        advice: expect.stringContaining('max_connections'),
      });
    } finally {
      await Promise.all(taken.map((client) => client.end()));
    }
  });

  test('a standby', async () => {
    await postgres.stop();
    await writeFile(join(folder, 'postgres/cluster/standby.signal'), '', { mode: 0o666 });
    postgres = await start(wrong);
    expect(await statuses()).toMatchObject({ 'database-connection': 'ok', 'database-primary': 'problem' });
  });
});

describe.skipIf(isMissing('s3'))('of a healthy deployment', () => {
  test('plinth doctor finds no problem and has no warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-doctor-'));
    await chmod(folder, 0o711);
    const settings = { wal_level: 'logical', max_slot_wal_keep_size: '1GB' };
    const postgres = await startLocalPostgres({ folder: join(folder, 'postgres'), settings });
    await using mailServer = await startMailServer({ auth: { user: 'plinth', pass: 'a-mail-password' } });
    const bucket = await testBucket();
    const origin = 'https://app.example.com';
    const s3 = createS3Client(bucket);
    const rule = { AllowedOrigins: [origin], AllowedMethods: ['PUT'], AllowedHeaders: ['*'] };
    await s3.send(
      new PutBucketCorsCommand({ Bucket: bucket.bucket, CORSConfiguration: { CORSRules: [rule] } }),
    );
    s3.destroy();
    const port = await freePort();
    const healthy = {
      ...bucketSettings(bucket),
      DATABASE_URL: await ensureDatabase(postgres, 'plinth'),
      SECRET_KEY: 'the-secret-of-a-healthy-deployment',
      REDIS_URL: `${inject('redisUrl')}/10`,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'no-reply@example.com',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: '0',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'fatal',
      SHUTDOWN_DELAY_MS: '0',
    };
    const config = parseConfig(healthy);
    await migrateAll(config);
    const node = await createNode(config);
    try {
      await node.start();
      await withCells(config, async (cells) => {
        const control = new ControlDb(cells.pool(1));
        const { project } = await createProject(control, { name: 'app', tier: 'enterprise' });
        await addOrigin(control, project.ref, origin);
      });
      const { code, stdout, stderr } = await runPlinth(['doctor', '--json'], healthy);
      const report = JSON.parse(stdout) as { checks: { id: string; status: string; found: string }[] };
      expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(report).toMatchObject({ healthy: true, counts: { ok: report.checks.length } });

      const quiet = await runPlinth(['doctor'], healthy);
      expect(quiet).toMatchObject({
        code: 0,
        stdout: `No problems, no warnings, ${report.checks.length} ok.\n`,
      });
      const verbose = (await runPlinth(['doctor', '--verbose'], healthy)).stdout;
      for (const { found } of report.checks) expect(verbose).toContain(found);
      const database = new URL(healthy.DATABASE_URL);
      for (const secret of [
        database.password,
        healthy.SECRET_KEY,
        'a-mail-password',
        bucket.credentials.secretAccessKey,
      ])
        expect(stdout + verbose).not.toContain(secret);
    } finally {
      await node.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('what is wrong is grouped, with advice and a page, and without colours where there is no terminal', async () => {
  const { code, stdout } = await runPlinth(['doctor'], { ...environment(), TRUST_PROXY: '::/0' });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^Addresses\n {2}problem {2}TRUST_PROXY: .*\n {4}Name only .*\n {4}See docs\/proxies\.md#/m,
  );
  expect(stdout).not.toContain('\u001B');
  expect(stdout).toMatch(/\n\d+ problems?, \d+ warnings?, /);
});

test.each([
  [['--prosesses', '2'], "Unknown option '--prosesses'"],
  [['--processes', 'many'], '--processes takes a number from 1 to 100000, not "many".'],
])('plinth doctor %j is refused in one line', async (args, said) => {
  const { code, stdout, stderr } = await runPlinth(['doctor', ...args], environment());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
});
