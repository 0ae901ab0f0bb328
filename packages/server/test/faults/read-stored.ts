import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Stored } from './judge-writes.ts';

const [tries, againAfterMs] = [120, 500];

/** Everything that a project has in a collection, straight from the database: wherever its documents live. */
export async function readStored(databaseUrl: string, collection: string): Promise<Stored> {
  for (let left = tries; ; left -= 1) {
    try {
      return await readOnce(databaseUrl, collection);
    } catch (error) {
      if (left === 0) throw error;
      await sleep(againAfterMs);
    }
  }
}

async function readOnce(databaseUrl: string, collection: string): Promise<Stored> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 2000,
    query_timeout: 20_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows: own } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'own'::regnamespace AND relkind = 'r'`,
    );
    const tables = ['cell.documents', ...own.map(({ name }) => name)];
    const all = tables.map((table) => `SELECT project_id, collection, id, data FROM ${table}`);
    const { rows } = await client.query<{ id: string; name: string; count: string | null }>(
      `SELECT d.id, d.data->>'name' AS name, d.data->>'count' AS count FROM (${all.join(' UNION ALL ')}) AS d
      JOIN cell.collections c ON c.project_id = d.project_id AND c.number = d.collection WHERE c.name = $1`,
      [collection],
    );
    return {
      names: new Map(rows.filter(({ count }) => count === null).map(({ id, name }) => [id, name])),
      counts: new Map(rows.flatMap(({ id, count }) => (count === null ? [] : [[id, Number(count)]]))),
    };
  } finally {
    client.end().catch(() => {});
  }
}
