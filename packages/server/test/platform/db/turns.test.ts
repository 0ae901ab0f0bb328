import { Client } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Cells } from '../../../src/platform/db/cells.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { testDatabases } from '../../support/test-databases.ts';

/** Both kinds of connections that calls of all projects share. */
test.each(['forProject', 'lookups'] as const)(
  'a project that keeps its connections busy waits for itself: %s',
  async (door) => {
    await using databases = await testDatabases();
    const cells = new Cells(
      new Map([[1, databases.first]]),
      { size: 4, statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 },
      pino({ level: 'fatal' }),
    );
    const [busy, quiet] = ['1', '2'].map((id) => cells[door]({ id, cell: 1 }));
    const lock = new Client({ connectionString: databases.first });
    await lock.connect();
    await lock.query('SELECT pg_advisory_lock(1)');
    // More than there are connections.
    const held = Array.from({ length: 20 }, () =>
      busy!.transaction((db) =>
        db.query(sql`SELECT pg_advisory_xact_lock_shared(1), ${db.scope}::bigint AS project`),
      ),
    );
    const answered = await quiet!.query(sql`SELECT ${quiet!.scope}::bigint AS project`);
    expect(answered).toHaveLength(1);
    await lock.end();
    await Promise.all(held);
    await cells.close();
  },
);
