import { DatabaseError, Pool, type PoolClient, type QueryResultRow, TypeOverrides, types } from 'pg';
import { parseJsonText } from '../json.ts';
import type { Log } from '../log.ts';
import type { Sql } from './sql.ts';

export type { Pool } from 'pg';

export interface PoolOptions {
  readonly connectionString: string;
  readonly size: number;
  readonly statementTimeoutMs: number;
  /** What PostgreSQL's own views call the connections. */
  readonly name?: string;
  /** Prepared statements are planned once, whatever their values: for those whose best plan never depends on them. */
  readonly plansOnce?: boolean;
}

export function createPool(options: PoolOptions, log: Pick<Log, 'warn'>): Pool {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.size,
    application_name: options.name ?? 'plinth',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    keepAlive: true,
    // Compiling a plan takes longer than nearly all that is asked here, and no call is to take several cores.
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
    // Nobody has to wait for the end of what changed nothing.
    connection.query('COMMIT').then(
      () => connection.release(),
      () => connection.release(true),
    );
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '23505';
}

/** Has PostgreSQL said that the statement failed? A connection that broke leaves open what has become of it. */
export function isCertain(error: unknown): boolean {
  // Codes of sockets, such as EPIPE, look like PostgreSQL's own: who said it counts.
  return error instanceof DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? 'XX');
}

/** Did a statement run past its time? */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '57014';
}

/** Did a statement give up waiting for a lock? */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '55P03';
}

/**
 * Was the statement made for a collection that has changed since, or has lost its table, or was it the one that had to
 * give way in a deadlock? Then the same call can succeed when it is done again.
 */
export function isWorthAgain(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42P01') return message?.includes('"own.documents_') ?? false;
  return code === 'PL001' || code === '40P01';
}
