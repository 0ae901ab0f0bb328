import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { inTransaction, run } from './pool.ts';
import type { Sql } from './sql.ts';

/** The door to the control schema: what the server knows of its projects. */
export class ControlDb {
  readonly #pool: Pool;
  readonly #connection: PoolClient | undefined;

  constructor(pool: Pool, connection?: PoolClient) {
    this.#pool = pool;
    this.#connection = connection;
  }

  async query<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    return run<Row>(this.#connection ?? this.#pool, statement, name);
  }

  async transaction<Result>(work: (control: ControlDb) => Promise<Result>): Promise<Result> {
    if (this.#connection) return work(this);
    return inTransaction(this.#pool, (connection) => work(new ControlDb(this.#pool, connection)));
  }
}
