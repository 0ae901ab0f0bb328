import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { isFromReadOnly } from './failures.ts';
import type { Queryable } from './pool.ts';

/**
 * A connection for as long as a transaction lasts. Work that goes on after its end, because nobody waited for it, would
 * run in the transaction of another request, and could undo that.
 */
class Borrowed implements Queryable {
  #connection: PoolClient | undefined;

  constructor(connection: PoolClient) {
    this.#connection = connection;
  }

  query<Row extends QueryResultRow>(statement: Parameters<Queryable['query']>[0]) {
    if (!this.#connection)
      return Promise.reject(new Error('A statement came after the end of its transaction.'));
    return this.#connection.query<Row>(statement);
  }

  giveBack(): void {
    this.#connection = undefined;
  }
}

/** Does the work in one transaction: all of it is committed, or it fails and nothing is. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (connection: Queryable) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  const borrowed = new Borrowed(connection);
  let isUsable = true;
  try {
    await connection.query('BEGIN');
    const result = await work(borrowed);
    borrowed.giveBack();
    const { command } = await connection.query('COMMIT');
    // PostgreSQL undoes a transaction in which a statement has failed, and does not call that an error.
    if (command !== 'COMMIT') throw new Error(`A transaction ended with ${command} instead of COMMIT.`);
    return result;
  } catch (error) {
    borrowed.giveBack();
    isUsable = await isUndone(connection, error);
    throw error;
  } finally {
    connection.release(!isUsable);
  }
}

/** Undoes a transaction that has failed; false: the connection is of no use any more. */
async function isUndone(connection: PoolClient, error: unknown): Promise<boolean> {
  if (isFromReadOnly(error)) return false;
  return connection.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

/** Runs reads that all see what the first of them sees. */
export async function inSnapshot<Result>(
  pool: Pool,
  work: (connection: Queryable) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  const borrowed = new Borrowed(connection);
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(borrowed);
  } finally {
    borrowed.giveBack();
    // Nobody has to wait for the end of a transaction that changed nothing.
    connection.query('COMMIT').then(
      () => connection.release(),
      () => connection.release(true),
    );
  }
}
