import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

interface ThrowawayDatabase {
  readonly url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/** Makes a database in the server of another one, for a while. */
export async function makeThrowawayDatabase(serverUrl: string): Promise<ThrowawayDatabase> {
  const name = `plinth_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
