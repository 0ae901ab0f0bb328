import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A database without any schema of ours; the options are those of CREATE DATABASE. */
export async function emptyDatabase(
  options = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onPostgres(`CREATE DATABASE ${name} ${options}`);
  return inject('postgresUrl').replace(/[^/]*$/, name);
}

export async function onPostgres(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
