import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  ensureDatabase,
  type LocalPostgres,
  startLocalPostgres,
} from '../../src/platform/db/local-postgres.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { cuttableLine } from '../support/cuttable-line.ts';

const settings = { fsync: 'off', wal_level: 'logical', max_connections: '200' };

/** A PostgreSQL of a test's own behind an address that stays the same, whichever server is behind it. */
export interface PromotablePostgres extends AsyncDisposable {
  /** For `testApp`. */
  readonly overrides: Record<string, string>;
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Remembers how the server is now, with its replication slots, as a standby does that gets nothing from now on. */
  copy(): Promise<void>;
  /** Ends the server. A standby that is as the last copy takes its place, or one that has everything. */
  failOver(to: 'the copy' | 'a full standby'): Promise<void>;
}

export async function promotablePostgres(): Promise<PromotablePostgres> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-failover-'));
  const copies = join(home, 'programs');
  let folder = join(home, 'server-1');
  const start = () => startLocalPostgres({ folder, settings, copies });
  let server: LocalPostgres = await start();
  const line = await cuttableLine(server.url('postgres'));
  for (const [schema, name] of [
    ['control', 'first'],
    ['cell', 'first'],
    ['cell', 'second'],
  ] as const)
    await migrate(schema, await ensureDatabase(server, name));
  const urlOf = (name: string) => {
    const url = new URL(server.url(name));
    url.port = new URL(line.url).port;
    return url.href;
  };
  const query = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: server.url('first') });
    // What still waits when the server ends fails by its answer.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const restartAs = async (change: () => Promise<void>) => {
    line.cut();
    await server.stop();
    await change();
    server = await start();
    line.lead(server.url('postgres'));
  };
  return {
    overrides: { DATABASE_URL: urlOf('first'), CELL_DATABASE_URLS: `2=${urlOf('second')}` },
    query,
    async copy() {
      // With owners: PostgreSQL insists on its own.
      await restartAs(async () => void execFileSync('cp', ['-a', folder, join(home, 'copy')]));
      line.mend();
    },
    async failOver(to) {
      await restartAs(async () => {
        if (to === 'the copy') folder = join(home, 'copy');
        await writeFile(join(folder, 'cluster/standby.signal'), '');
      });
      await query('SELECT pg_promote()');
      line.mend();
    },
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
