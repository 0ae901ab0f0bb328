import { DatabaseError, Pool, type PoolClient, type QueryResultRow, TypeOverrides, types } from 'pg';
import { errorCode } from '../error-code.ts';
import { parseJsonText } from '../json.ts';
import type { Log } from '../log.ts';
import type { Sql } from './sql.ts';

export type { Pool } from 'pg';

export interface PoolOptions {
  readonly connectionString: string;
  readonly size: number;
  readonly statementTimeoutMs: number;
  /** How long PostgreSQL may take to accept a connection. */
  readonly connectTimeoutMs?: number;
  /** What PostgreSQL's own views call the connections. */
  readonly name?: string;
  /** Prepared statements are planned once, whatever their values: for those whose best plan never depends on the values. */
  readonly plansOnce?: boolean;
}

export function createPool(options: PoolOptions, log: Pick<Log, 'warn'>): Pool {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.size,
    application_name: options.name ?? 'plinth',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    keepAlive: true,
    // Compiling a plan takes longer than nearly every query here, and no call may use several cores.
    options: `-c jit=off -c max_parallel_workers_per_gather=0${options.plansOnce ? ' -c plan_cache_mode=force_generic_plan' : ''}`,
    types: jsonReading,
  });
  // Without listeners, a connection that breaks while idle would end the process.
  const warn = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'a database connection broke');
  };
  pool.on('error', warn);
  pool.on('connect', (client) => client.on('error', warn));
  return pool;
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

export async function inTransaction<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let broken = false;
  try {
    await connection.query('BEGIN');
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    connection.release(broken);
  }
}

/** Runs reads that all see what the first of them sees. */
export async function inSnapshot<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(connection);
  } finally {
    // Nobody has to wait for the end of a transaction that changed nothing.
    connection.query('COMMIT').then(
      () => connection.release(),
      () => connection.release(true),
    );
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505';
}

/** Has PostgreSQL said that the statement failed? After a connection broke, nobody knows whether it did. */
export function isCertain(error: unknown): boolean {
  // Codes of sockets, such as EPIPE, look like those of PostgreSQL, so it matters who says it.
  return error instanceof DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? 'XX');
}

/** Did a statement run past its time? */
export function isTimeout(error: unknown): boolean {
  return errorCode(error) === '57014';
}

/** Did a statement give up waiting for a lock? */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** The schema of tables that are made and dropped while the service runs. */
const ownSchema = 'own';

/**
 * Can the same call succeed when it is done again? It can if the statement relied on something that has changed since
 * (`PL001`), if its table was dropped, or if it had to give way in a deadlock.
 */
export function isWorthAgain(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '42P01') return error instanceof Error && error.message.includes(`"${ownSchema}.`);
  return code === 'PL001' || code === '40P01';
}
