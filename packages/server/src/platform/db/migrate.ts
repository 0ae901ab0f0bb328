import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Logger, runMigrations } from 'graphile-worker';
import type { Client } from 'pg';
import { applyMigration, type Migration } from './apply-migration.ts';
import { Connection } from './connection.ts';
import { DatabaseServer } from './database-server.ts';
import { MigrationError } from './errors.ts';
import { onlyRow } from './only-row.ts';

const migrations = new URL('../../../migrations/', import.meta.url);
const lockKey = 7_502_837_145;

/**
 * Brings one schema of one database up to date. Many nodes may call it at once: an advisory lock lets one work
 * while the others wait and then find nothing to do.
 */
export async function migrate(
  schema: 'control' | 'cell',
  databaseUrl: string,
  folder = migrations,
): Promise<string[]> {
  const server = new DatabaseServer(databaseUrl);
  const client: Client = new Connection(server, { application_name: 'plinth migrate' });
  await client.connect();
  try {
    await checkDatabase(client);
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    const queue = schema === 'cell' ? await migrateQueue(client, await server.findPrimary()) : [];
    return [...queue, ...(await applyMissing(client, schema, folder))];
  } finally {
    await client.end();
  }
}

/** The job queue makes its own tables. */
async function migrateQueue(client: Client, connectionString: string): Promise<string[]> {
  const before = await queueVersion(client);
  const logger = new Logger(() => () => {});
  await runMigrations({ connectionString, maxPoolSize: 1, logger });
  const after = await queueVersion(client);
  return before === after ? [] : [`job queue, version ${after}`];
}

async function queueVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS there`,
  );
  if (!onlyRow(rows).there) return 0;
  const found = await client.query<{ version: number }>(
    'SELECT coalesce(max(id), 0) AS version FROM graphile_worker.migrations',
  );
  return onlyRow(found.rows).version;
}

export interface SchemaState {
  /** Migrations of this version that were not applied yet. */
  readonly missing: readonly string[];
  /** Those that were changed after they were applied. */
  readonly changed: readonly string[];
  /** Those of a newer version. */
  readonly unknown: readonly string[];
}

/** Compares a database with what this version needs, and changes nothing. */
export async function compareSchema(client: Client, schema: 'control' | 'cell'): Promise<SchemaState> {
  const own = await readMigrations(schema, migrations);
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('${schema}.migrations') IS NOT NULL AS there`,
  );
  const applied = onlyRow(rows).there ? await readApplied(client, schema) : new Map<string, string>();
  const names = new Set(own.map(({ name }) => name));
  const hasQueue = schema === 'control' || (await queueVersion(client)) > 0;
  const missing = own.filter(({ name }) => !applied.has(name)).map(({ name }) => `${schema}/${name}`);
  return {
    missing: hasQueue ? missing : ['job queue', ...missing],
    changed: own
      .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
      .map(({ name }) => `${schema}/${name}`),
    unknown: [...applied.keys()].filter((name) => !names.has(name)).map((name) => `${schema}/${name}`),
  };
}

async function readApplied(client: Client, schema: 'control' | 'cell'): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM ${schema}.migrations`,
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function applyMissing(client: Client, schema: 'control' | 'cell', folder: URL): Promise<string[]> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const applied = await readApplied(client, schema);
  const done: string[] = [];
  for (const migration of await readMigrations(schema, folder)) {
    const { name, checksum } = migration;
    const before = applied.get(name);
    if (before === checksum) continue;
    if (before !== undefined) {
      throw new MigrationError(
        `Migration ${schema}/${name} was changed after it was applied to this database.`,
      );
    }
    await applyMigration(client, migration);
    done.push(`${schema}/${name}`);
  }
  return done;
}

async function readMigrations(schema: 'control' | 'cell', folder: URL): Promise<Migration[]> {
  const names = (await readdir(new URL(`${schema}/`, folder))).filter((name) => name.endsWith('.sql'));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(new URL(`${schema}/${name}`, folder), 'utf8');
      return { schema, name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Text must compare by code point in SQL as it does in JavaScript, which fixes the encoding and the collation. */
async function checkDatabase(client: Client): Promise<void> {
  const version = await client.query<{ number: number }>(
    `SELECT current_setting('server_version_num')::int AS number`,
  );
  if (onlyRow(version.rows).number < 150_000)
    throw new MigrationError('Plinth needs PostgreSQL 15 or newer.');
  const { rows } = await client.query<{ name: string; encoding: string; byCodePoint: boolean }>(`
    SELECT datname AS name, pg_encoding_to_char(encoding) AS encoding,
      datcollate IN ('C', 'POSIX') AND datlocprovider = 'c' OR datlocprovider = 'b' AS "byCodePoint"
    FROM pg_database WHERE datname = current_database()`);
  const database = onlyRow(rows);
  if (database.encoding !== 'UTF8' || !database.byCodePoint) {
    throw new MigrationError(
      `Database "${database.name}" must be UTF-8 with collation C. Create it with:\n` +
        `  CREATE DATABASE plinth TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';`,
    );
  }
}
