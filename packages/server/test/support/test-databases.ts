import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** Two fresh databases: the first holds control and cell 1, the second is cell 2. Every test runs on two cells. */
export async function testDatabases(): Promise<{ first: string; second: string }> {
  const suffix = randomBytes(6).toString('hex');
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    for (const which of ['first', 'second']) {
      await client.query(`CREATE DATABASE ${which}_${suffix} TEMPLATE template_${which} STRATEGY file_copy`);
    }
  } finally {
    await client.end();
  }
  const url = (name: string) => inject('postgresUrl').replace(/[^/]*$/, name);
  return { first: url(`first_${suffix}`), second: url(`second_${suffix}`) };
}
