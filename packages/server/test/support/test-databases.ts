import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** The addresses of two databases; with them go the databases. */
interface TestDatabases extends AsyncDisposable {
  /** Holds control and cell 1. */
  readonly first: string;
  /** Is cell 2. */
  readonly second: string;
}

/** Two fresh databases: every test runs on two cells. */
export async function testDatabases(): Promise<TestDatabases> {
  const suffix = randomBytes(6).toString('hex');
  const names = ['first', 'second'].map((which) => `${which}_${suffix}`);
  await onServer(
    names.map((name) => `CREATE DATABASE ${name} TEMPLATE template_${name.split('_')[0]} STRATEGY file_copy`),
  );
  const url = (name: string) => inject('postgresUrl').replace(/[^/]*$/, name);
  return {
    first: url(`first_${suffix}`),
    second: url(`second_${suffix}`),
    // PostgreSQL goes on looking after each database that it has.
    [Symbol.asyncDispose]: () => onServer(names.map((name) => `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function onServer(statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
