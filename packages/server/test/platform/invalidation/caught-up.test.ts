import { Client } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
/** Without a mark, about one in a hundred is missed. */
const rounds = 1000;

async function connect(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: t.config.DATABASE_URL });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test('whoever has caught up has heard of everything that readers see', async () => {
  const listener = new InvalidationListener(
    new DatabaseServer(t.config.DATABASE_URL, 60_000),
    pino({ level: 'silent' }),
  );
  const heard = new Set<string>();
  listener.onTopic('round', (key) => heard.add(key));
  await listener.start();
  await using writer = await connect();
  await using reader = await connect();
  await writer.query('CREATE TABLE rounds (n int)');
  const missed: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const written = writer.query(
      `WITH written AS (INSERT INTO rounds VALUES (${n}) RETURNING n) SELECT pg_notify('plinth', 'round:' || n) FROM written`,
    );
    while ((await reader.query(`SELECT 1 FROM rounds WHERE n = ${n}`)).rowCount === 0);
    await listener.caughtUp();
    if (!heard.has(String(n))) missed.push(n);
    await written;
  }
  await listener.close();
  await writer.query('DROP TABLE rounds');
  expect(missed).toEqual([]);
});
