import { Pool, type PoolClient, type PoolConfig, type QueryResultRow, TypeOverrides, types } from 'pg';
import { parseJsonText } from '../json.ts';
import type { Log } from '../log.ts';
import { currentCall } from '../tracing/current-call.ts';
import { adaptToPooler } from './behind-pooler.ts';
import { Connection, type ConnectionConfig, LostStatementError, NoAnswerError } from './connection.ts';
import type { PoolWatch } from './database-metrics.ts';
import { DatabaseServer } from './database-server.ts';
import { isBroken, leavesUsable } from './failures.ts';
import type { Sql } from './sql.ts';

export type { Pool } from 'pg';

export interface PoolOptions {
  readonly size: number;
  readonly statementTimeoutMs: number;
  /** What PostgreSQL's own views call the connections. */
  readonly name?: string;
  /** Prepared statements are planned once, whatever their values: for those whose best plan never depends on the values. */
  readonly plansOnce?: boolean;
  /** Only for reads: PostgreSQL refuses to write. */
  readonly isReadOnly?: boolean;
  /** The address is that of a pooler in transaction mode. */
  readonly pooler?: { readonly keepsStatements: boolean } | undefined;
  /** What operators see of it. */
  readonly watch?: PoolWatch | undefined;
}

/** How much later than PostgreSQL this side gives up. */
const graceMs = 1000;
/** Nearly every statement is answered before that. */
const lookAfterMs = 1000;
/** How long a statement may wait for what others hold, of the time that it has. */
const lockShare = 0.8;
/** How long a statement waits for one of the connections, if connecting may not take longer. */
const longestWaitMs = 5000;

/** Connections to one database that statements take in turns. */
export function createPool(
  database: string | DatabaseServer,
  options: PoolOptions,
  log: Pick<Log, 'warn'>,
): Pool {
  const server = typeof database === 'string' ? new DatabaseServer(database) : database;
  const pool = new WatchedPool({
    Client: connectionsTo(server, options),
    max: options.size,
    connectionTimeoutMillis: Math.max(longestWaitMs, server.connectTimeoutMs),
    idleTimeoutMillis: 60_000,
    watch: options.watch,
  });
  // Without listeners, a connection that breaks while idle would end the process.
  const warn = (error: Error) => {
    if (pool.ending) return;
    const isSilent = error instanceof NoAnswerError || error instanceof LostStatementError;
    options.watch?.metrics.lost(options.watch.cell, isSilent ? 'silent' : 'broken');
    log.warn({ err: error }, 'a database connection was lost');
  };
  pool.on('error', warn);
  pool.on('connect', (client) => {
    client.on('error', warn);
    if (options.pooler)
      adaptToPooler(client, { connectionString: server.firstUrl, ...options, ...options.pooler });
  });
  return pool;
}

function connectionsTo(server: DatabaseServer, options: PoolOptions) {
  const config: ConnectionConfig = {
    application_name: options.name ?? 'plinth',
    types: jsonReading,
    deadlineMs: options.statementTimeoutMs + graceMs,
    ...(options.watch && { metrics: options.watch.metrics }),
    // Behind a pooler nobody knows which process serves whom.
    ...(options.pooler ? {} : { ...settingsOf(options), lookAfterMs }),
  };
  return class extends Connection {
    constructor() {
      super(server, config);
    }
  };
}

/** What PostgreSQL is told when a connection begins. Poolers ignore it, or refuse the connection. */
function settingsOf({ statementTimeoutMs, plansOnce, isReadOnly }: PoolOptions): ConnectionConfig {
  const settings = {
    // Compiling a plan takes longer than nearly every query here, and no call may use several cores.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    ...(plansOnce && { plan_cache_mode: 'force_generic_plan' }),
    ...(isReadOnly && { default_transaction_read_only: 'on' }),
  };
  return {
    statement_timeout: statementTimeoutMs,
    // Whoever waits for a lock until its time is over would look like a query that is slow by itself.
    lock_timeout: Math.ceil(statementTimeoutMs * lockShare),
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}

/** Hands out only connections that can be relied on, and keeps those that nothing is wrong with. */
class WatchedPool extends Pool {
  readonly #watch: PoolWatch | undefined;

  constructor({ watch, ...config }: PoolConfig & { watch: PoolWatch | undefined }) {
    super(config);
    this.#watch = watch;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Parameters<Pool['connect']>[0]): void;
  override connect(callback?: Parameters<Pool['connect']>[0]): Promise<PoolClient> | void {
    if (callback) return super.connect(callback);
    return this.#connect();
  }

  async #connect(): Promise<PoolClient> {
    const startedAt = performance.now();
    for (;;) {
      const connection = await super.connect();
      if (!(connection instanceof Connection) || connection.isTrusted) {
        this.#noteWait(startedAt);
        return connection;
      }
      connection.release(true);
    }
  }

  #noteWait(startedAt: number): void {
    if (!this.#watch) return;
    const { metrics, cell, name } = this.#watch;
    const now = performance.now();
    metrics.waited(now - startedAt, cell, name);
    currentCall()?.note('pool wait', name, startedAt, now);
  }

  override query(...parameters: never[]): never {
    return this.#query(parameters) as never;
  }

  async #query(parameters: readonly unknown[]): Promise<unknown> {
    const connection = await this.connect();
    let isUsable = true;
    try {
      return await connection.query(...(parameters as unknown as [string]));
    } catch (error) {
      isUsable = leavesUsable(error);
      throw error;
    } finally {
      connection.release(!isUsable);
    }
  }
}

/** JSON columns are read with our own parser, everything else as the driver does. */
const jsonReading = new TypeOverrides();
jsonReading.setTypeParser(types.builtins.JSON, parseJsonText);
jsonReading.setTypeParser(types.builtins.JSONB, parseJsonText);

/** Something that runs statements: the pool, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: {
    text: string;
    values: unknown[];
    name?: string;
  }): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** Runs one statement. A name makes it a prepared statement of the connection: only for texts that never vary. */
export async function run<Row extends QueryResultRow>(
  connection: Queryable,
  statement: Sql,
  name?: string,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({
    text: statement.text,
    values: statement.values,
    ...(name !== undefined && { name }),
  });
  return rows;
}

/** Runs a statement that only reads, once more if its connection broke before the answer. */
export async function runRead<Row extends QueryResultRow>(
  pool: Pool,
  statement: Sql,
  name?: string,
): Promise<Row[]> {
  try {
    return await run<Row>(pool, statement, name);
  } catch (error) {
    if (!isBroken(error)) throw error;
    return run<Row>(pool, statement, name);
  }
}
