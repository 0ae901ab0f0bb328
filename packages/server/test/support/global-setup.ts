import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureDatabase, startLocalPostgres } from '../../src/platform/db/local-postgres.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { gatherTables, spreadTables } from './document-tables.ts';
import { type Engine, findPostgres15, missingEngines } from './engines.ts';
import { startRedis } from './redis.ts';
import { offerS3 } from './s3-starter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where databases are made; the template names are in test-databases.ts. */
    postgresUrl: string;
    /** There unless Redis is missing. */
    redisUrl: string;
    /** Answers how to reach an S3 gateway, and starts it when asked for the first time; see test-bucket.ts. */
    s3StarterUrl: string;
    /** What is not installed here; see is-missing.ts. */
    missingEngines: Engine[];
  }
}

/** Starts the engines that the tests use, with databases to clone. No test uses a service that is already there. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = missingEngines();
  project.provide('missingEngines', missing);
  if (missing.includes('postgres15')) return async () => {};
  const home = homeOfCollections();
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'));
  const isOn15 = process.env.PLINTH_TEST_POSTGRES === '15';
  // Run as root, PostgreSQL works as another user. The programs of 15 walk to the folder that they are in.
  if (isOn15) await chmod(folder, 0o711);
  const postgres = await startLocalPostgres({
    folder: join(folder, 'postgres'),
    ...(isOn15 && { binaries: postgres15() }),
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'logical',
      max_connections: '400',
      max_replication_slots: '100',
      max_wal_senders: '100',
    },
  });
  await trustOthers(folder, postgres.url('postgres'));
  const first = await ensureDatabase(postgres, 'template_first');
  await migrate('control', first);
  await migrate('cell', first);
  const second = await ensureDatabase(postgres, 'template_second');
  await migrate('cell', second);
  for (const url of [first, second]) {
    await gatherTables(url);
    if (home !== undefined) await spreadTables(url, home);
  }
  const redis = missing.includes('redis') ? undefined : await startRedis();
  const s3 = await offerS3();
  project.provide('postgresUrl', postgres.url('postgres'));
  if (redis) project.provide('redisUrl', redis.url);
  project.provide('s3StarterUrl', s3.url);
  return async () => {
    await s3.stop();
    await redis?.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Where new collections live when the tests are run for that; otherwise where the service puts them. */
function homeOfCollections(): 'own' | 'moving' | undefined {
  const home = process.env.PLINTH_TEST_TABLES;
  if (home === undefined || home === 'own' || home === 'moving') return home;
  throw new Error('PLINTH_TEST_TABLES is either "own" or "moving", or not set.');
}

/** Tests open thousands of connections, and a password is made to be slow to check: only `stranger` has to have one. */
async function trustOthers(folder: string, url: string): Promise<void> {
  await writeFile(
    join(folder, 'postgres/cluster/pg_hba.conf'),
    'host all stranger 127.0.0.1/32 scram-sha-256\nhost all,replication all 127.0.0.1/32 trust\n',
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

function postgres15() {
  const folder = findPostgres15() ?? '';
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}
