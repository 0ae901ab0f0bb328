import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { inSnapshot, inTransaction, type Queryable, run } from './pool.ts';
import type { MemberRow, SharedStatement, SharedStatements } from './shared-statements.ts';
import type { Sql } from './sql.ts';

/** What a `ProjectDb` is made for. */
export interface ProjectLocation {
  readonly id: string;
  readonly cell: number;
}

/**
 * The only door to a project's data. A statement must carry `db.scope` as one of its values: the project's id
 * can then not be forgotten, and cannot be another project's.
 */
export class ProjectDb {
  /** Put this where a statement compares or writes `project_id`. */
  readonly scope: ProjectScope;
  readonly #pool: Pool;
  readonly #shared: SharedStatements | undefined;
  readonly #transaction: Transaction | undefined;

  constructor(
    pool: Pool,
    projectId: string,
    of: { shared?: SharedStatements | undefined; transaction?: Transaction } = {},
  ) {
    this.#pool = pool;
    this.#shared = of.shared;
    this.scope = new ProjectScope(projectId);
    this.#transaction = of.transaction;
  }

  async query<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    if (
      !statement.values.some(
        (value) => value instanceof ProjectScope && value.projectId === this.scope.projectId,
      )
    ) {
      throw new Error('A statement on project data must be scoped: use db.scope for project_id.');
    }
    const connection: Queryable = this.#transaction?.connection ?? this.#pool;
    return run<Row>(connection, statement, name);
  }

  /**
   * Runs a statement once for all calls that ask for it just now, of any project. Inside a transaction, and on a handle
   * that shares nothing, it runs alone.
   */
  async together<Item, Row extends MemberRow>(statement: SharedStatement<Item>, item: Item): Promise<Row[]> {
    const member = { projectId: this.scope.projectId, item };
    if (this.#shared && !this.#transaction) return this.#shared.run<Item, Row>(statement, member);
    return run<Row>(this.#transaction?.connection ?? this.#pool, statement.sql([member]));
  }

  /** Runs the work in one transaction; inside one already, in that one. Shadow the handle: `async (db) => …`. */
  async transaction<Result>(work: (db: ProjectDb) => Promise<Result>): Promise<Result> {
    if (this.#transaction) return work(this);
    const afterCommit: (() => void)[] = [];
    const result = await inTransaction(this.#pool, (connection) =>
      work(this.#inside({ connection, afterCommit })),
    );
    for (const tell of afterCommit) tell();
    return result;
  }

  /** Runs reads that all see what the first of them sees; inside a transaction, what that does. */
  async snapshot<Result>(work: (db: ProjectDb) => Promise<Result>): Promise<Result> {
    if (this.#transaction) return work(this);
    return inSnapshot(this.#pool, (connection) => work(this.#inside({ connection, afterCommit: [] })));
  }

  /** A handle outside this transaction, for work after it. */
  apart(): ProjectDb {
    return new ProjectDb(this.#pool, this.scope.projectId, { shared: this.#shared });
  }

  #inside(transaction: Transaction): ProjectDb {
    return new ProjectDb(this.#pool, this.scope.projectId, { shared: this.#shared, transaction });
  }

  /** Runs once what was done so far is committed: at once when there is no transaction. */
  afterCommit(tell: () => void): void {
    if (this.#transaction) this.#transaction.afterCommit.push(tell);
    else tell();
  }
}

interface Transaction {
  readonly connection: PoolClient;
  readonly afterCommit: (() => void)[];
}

/** A project's id as a bound value of a statement. */
class ProjectScope {
  readonly projectId: string;

  constructor(projectId: string) {
    this.projectId = projectId;
  }

  /** How `pg` turns the value into a parameter. */
  toPostgres(): string {
    return this.projectId;
  }
}
