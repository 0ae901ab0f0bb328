import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/redis.ts';
import { conduct } from './conduct.ts';
import { LonePostgres } from './lone-postgres.ts';
import { Nodes } from './nodes.ts';
import { RedisProcess } from './redis-process.ts';
import type { Rig, Scenario } from './scenario.ts';

const program = '/usr/sbin/pgbouncer';
const faultMs = 5000;

export const poolerScenario: Scenario = {
  name: 'PgBouncer in transaction mode killed and started again',
  postgres: 18,
  isMissing: () => (existsSync(program) ? undefined : `${program} is not installed`),
  run: killPooler,
};

async function killPooler({ folder: home }: Rig) {
  await using postgres = await LonePostgres.start();
  await using redis = await RedisProcess.start();
  const folder = join(home, 'pgbouncer');
  const port = await freePort();
  writeSettings(folder, port, new URL(postgres.url));
  let pooler = startPooler(folder);
  const pooledUrl = `postgres://plinth@127.0.0.1:${port}/plinth`;
  await using nodes = await Nodes.start({
    DATABASE_URL: postgres.linkedUrl,
    POOLED_DATABASE_URLS: `1=${pooledUrl}`,
    REDIS_URL: redis.url,
  });
  const strike = async () => {
    await end(pooler);
    await sleep(faultMs);
    pooler = startPooler(folder);
  };
  try {
    return await conduct({ nodes, databaseUrl: pooledUrl, strike });
  } finally {
    await end(pooler);
  }
}

function writeSettings(folder: string, port: number, { port: to, password, pathname }: URL): void {
  mkdirSync(folder, { recursive: true });
  const database = `host=127.0.0.1 port=${to} dbname=${pathname.slice(1)} user=plinth password=${password}`;
  const settings = `[databases]
plinth = ${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
query_wait_timeout = 5
ignore_startup_parameters = extra_float_digits,options
`;
  writeFileSync(join(folder, 'pgbouncer.ini'), settings);
  execFileSync('chown', ['-R', 'postgres:postgres', folder]);
}

function startPooler(folder: string): ChildProcess {
  const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
  return spawn('setpriv', [...asPostgres, program, '-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
}

async function end(pooler: ChildProcess): Promise<void> {
  if (pooler.exitCode !== null || pooler.signalCode !== null) return;
  const ended = once(pooler, 'exit');
  pooler.kill('SIGKILL');
  await ended;
}
