import type { Pool, QueryResultRow } from 'pg';
import { type Queryable, run, runRead } from './pool.ts';
import type { Sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

/** The door to the control schema: what the server knows of its projects. */
export class ControlDb {
  readonly #pool: Pool;
  readonly #connection: Queryable | undefined;
  readonly #isReading: boolean;

  constructor(pool: Pool, of: { connection?: Queryable; isReading?: boolean } = {}) {
    this.#pool = pool;
    this.#connection = of.connection;
    this.#isReading = of.isReading ?? false;
  }

  async query<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    if (this.#connection) return run<Row>(this.#connection, statement, name);
    return (this.#isReading ? runRead : run)<Row>(this.#pool, statement, name);
  }

  async transaction<Result>(work: (control: ControlDb) => Promise<Result>): Promise<Result> {
    if (this.#connection) return work(this);
    return inTransaction(this.#pool, (connection) => work(new ControlDb(this.#pool, { connection })));
  }
}
