// @postgres newest
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { Connection } from '../../../src/platform/db/connection.ts';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const opened: Client[] = [];
afterEach(() => Promise.all(opened.splice(0).map((connection) => connection.end())));

async function connect(deadlineMs: number): Promise<Client> {
  const server = new DatabaseServer(t.config.DATABASE_URL, 60_000);
  const connection: Client = new Connection(server, { deadlineMs });
  opened.push(connection);
  await connection.connect();
  return connection;
}

/** Keeps this process from doing anything else. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('an answer that arrived while the process stood still is not late', async () => {
  const connection = await connect(500);
  const answer = connection.query('SELECT 1 AS one');
  // It is sent, and PostgreSQL answers long before the deadline; timers are looked at before it is read.
  await turn();
  standStill(2000);
  expect((await answer).rows).toEqual([{ one: 1 }]);
});

test('one that never comes is', async () => {
  const connection = await connect(500);
  await expect(connection.query('SELECT pg_sleep(60)')).rejects.toThrow('did not respond within 500 ms');
});
