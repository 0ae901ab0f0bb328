import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Pool } from '../../packages/server/src/platform/db/pool.ts';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { type Node, type Postgres, startNode } from '../service.ts';
import { type RunningRedis, startRedis } from '../speed/redis.ts';

/** A node as in production: with Redis, metrics and limits that nobody reaches. */
export interface Stage extends AsyncDisposable {
  readonly node: Node;
  readonly metricsUrl: string;
  readonly redis: RunningRedis;
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  readonly pool: Pool;
}

const ports = { node: 4530, metrics: 4531, redis: 4532 };

export async function openStage(postgres: Postgres): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  const redis = stack.use(await startRedis(ports.redis));
  const databaseUrl = await postgres.database('plinth');
  const settings = {
    FILES_FOLDER: join(postgres.folder, 'files'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    REDIS_URL: redis.url,
    ADMIN_PORT: String(ports.metrics),
    // All requests come from one address, and to one account.
    AUTH_ADDRESS_LIMIT: '1000000000',
    AUTH_ACCOUNT_LIMIT: '1000000000',
  };
  const node = stack.use(await startNode(databaseUrl, ports.node, { settings }));
  const pool = createPool(databaseUrl, { size: 24, statementTimeoutMs: 600_000 }, console);
  stack.defer(() => pool.end());
  return {
    node,
    redis,
    postgres,
    databaseUrl,
    pool,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
