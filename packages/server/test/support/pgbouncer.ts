import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './redis.ts';

/** PgBouncer in transaction mode in front of a PostgreSQL, with few connections to it that all clients share. */
interface PgBouncer extends AsyncDisposable {
  /** The address of a database by way of the pooler. */
  through(databaseUrl: string): string;
}

export async function startPgBouncer(
  postgresUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const target = new URL(postgresUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'plinth-pgbouncer-'));
  // It refuses to work as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 500,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    file,
    `[databases]\n* = host=${target.hostname} port=${target.port} user=${target.username}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  const server = spawn('pgbouncer', [file], { stdio: 'ignore', ...user });
  const ended = new Promise<void>((end) => server.once('exit', () => end()));
  const failed = new Promise<never>((_, fail) => {
    server.once('error', () => fail(new Error('The tests need PgBouncer: apt-get install pgbouncer')));
  });
  const through = (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    url.hostname = '127.0.0.1';
    return url.href;
  };
  await Promise.race([failed, untilAnswered(through(postgresUrl))]);
  return {
    through,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswered(connectionString: string): Promise<void> {
  let failure: unknown;
  for (let tries = 0; tries < 3000; tries += 1) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      await client.query('SELECT 1');
      return;
    } catch (error) {
      failure = error;
      await sleep(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('PgBouncer did not start.', { cause: failure });
}
