import type { Pool, QueryResultRow } from 'pg';
import type { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { currentCall } from '../tracing/current-call.ts';
import { NoAnswerError } from './connection.ts';
import type { DatabaseServer } from './database-server.ts';
import { databaseBusy } from './errors.ts';
import { type Queryable, run, runRead } from './pool.ts';
import type { Member, MemberRow, SharedStatement, SharedStatements } from './shared-statements.ts';
import type { Sql } from './sql.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

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
  readonly #turns: FairSemaphore | undefined;
  readonly #server: DatabaseServer | undefined;
  readonly #isReading: boolean;
  readonly #transaction: Transaction | undefined;

  constructor(pool: Pool, projectId: string, of: Sharing & { transaction?: Transaction } = {}) {
    this.#pool = pool;
    this.#shared = of.shared;
    this.#turns = of.turns;
    this.#server = of.server;
    this.#isReading = of.isReading ?? false;
    this.scope = new ProjectScope(projectId);
    this.#transaction = of.transaction;
  }

  query<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    return this.#ask(this.#isReading ? runRead : run, statement, name);
  }

  /** Runs a statement that does nothing but read: outside a transaction again if its connection breaks. */
  read<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    return this.#ask(runRead, statement, name);
  }

  async #ask<Row extends QueryResultRow>(ask: typeof runRead, statement: Sql, name?: string): Promise<Row[]> {
    if (
      !statement.values.some(
        (value) => value instanceof ProjectScope && value.projectId === this.scope.projectId,
      )
    ) {
      throw new Error('A statement on project data must be scoped: use db.scope for project_id.');
    }
    const connection: Queryable | undefined = this.#transaction?.connection;
    if (connection) return run<Row>(connection, statement, name);
    return this.#inTurn(() => ask<Row>(this.#pool, statement, name));
  }

  /**
   * Runs a statement once for all calls that ask for it just now, of any project. Inside a transaction, and on a handle
   * that shares nothing, it runs alone.
   */
  together<Item, Row extends MemberRow>(statement: SharedStatement<Item>, item: Item): Promise<Row[]> {
    const member = { projectId: this.scope.projectId, item };
    if (this.#shared && !this.#transaction)
      return this.#runShared<Item, Row>(this.#shared, statement, member);
    if (this.#transaction) return run<Row>(this.#transaction.connection, statement.sql([member]));
    return this.#inTurn(() => run<Row>(this.#pool, statement.sql([member])));
  }

  /** Its statement is of all members: to a call, its time is what it waited for the answer. */
  async #runShared<Item, Row extends MemberRow>(
    shared: SharedStatements,
    statement: SharedStatement<Item>,
    member: Member<Item>,
  ): Promise<Row[]> {
    const startedAt = performance.now();
    try {
      return await shared.run<Item, Row>(statement, member);
    } finally {
      currentCall()?.note('statement', statement.name, startedAt, performance.now());
    }
  }

  /** Runs the work in one transaction; inside one already, in that one. Shadow the handle: `async (db) => …`. */
  async transaction<Result>(work: (db: ProjectDb) => Promise<Result>): Promise<Result> {
    if (this.#transaction) return work(this);
    const afterCommit: (() => void)[] = [];
    const over: (() => void)[] = [];
    try {
      const result = await this.#inTurn(() =>
        inTransaction(this.#pool, (connection) => work(this.#inside({ connection, afterCommit, over }))),
      );
      for (const tell of afterCommit) tell();
      return result;
    } finally {
      for (const tell of over) tell();
    }
  }

  /** Runs reads that all see what the first of them sees; inside a transaction, what that does. */
  async snapshot<Result>(work: (db: ProjectDb) => Promise<Result>): Promise<Result> {
    if (this.#transaction) return work(this);
    return this.#inTurn(() =>
      inSnapshot(this.#pool, (connection) => work(this.#inside({ connection, afterCommit: [], over: [] }))),
    );
  }

  /** A handle whose statements go over another connection: for reads that may take longer than those of calls. */
  over(connection: Queryable): ProjectDb {
    return this.#inside({ connection, afterCommit: [], over: [] });
  }

  /** A handle outside this transaction, for work after it. */
  apart(): ProjectDb {
    return new ProjectDb(this.#pool, this.scope.projectId, this.#sharing);
  }

  #inside(transaction: Transaction): ProjectDb {
    return new ProjectDb(this.#pool, this.scope.projectId, { ...this.#sharing, transaction });
  }

  get #sharing(): Sharing {
    return { shared: this.#shared, turns: this.#turns, server: this.#server, isReading: this.#isReading };
  }

  /** Projects take turns on the connections: one that keeps its share busy waits for itself. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#turns) return work();
    const startedAt = performance.now();
    const done = await this.#turns.run(this.scope.projectId, longestWaitMs, async () => {
      const begunAt = performance.now();
      if (begunAt - startedAt > worthNotingMs) currentCall()?.note('pool wait', 'turn', startedAt, begunAt);
      return { result: await work() };
    });
    if (!done)
      throw this.#server?.isSilentSince(startedAt) ? new NoAnswerError(longestWaitMs) : databaseBusy();
    return done.result;
  }

  /** Runs once what was done so far is committed: at once when there is no transaction. */
  afterCommit(tell: () => void): void {
    if (this.#transaction) this.#transaction.afterCommit.push(tell);
    else tell();
  }

  /** Runs once what was done so far is committed or undone: at once when there is no transaction. */
  whenOver(tell: () => void): void {
    if (this.#transaction) this.#transaction.over.push(tell);
    else tell();
  }
}

/** What the handles of all projects have in common. */
interface Sharing {
  readonly shared?: SharedStatements | undefined;
  /** Without it, nobody waits for others than the pool itself. */
  readonly turns?: FairSemaphore | undefined;
  /** Says whether those who waited in vain have waited for one another. */
  readonly server?: DatabaseServer | undefined;
  /** Every statement is a `read`. */
  readonly isReading?: boolean;
}

/** How long a request waits for a database connection from its project’s share. @limit too_many_queries ms */
const longestWaitMs = 5000;

/** Whoever finds a place at once has not waited. */
const worthNotingMs = 0.5;

interface Transaction {
  readonly connection: Queryable;
  readonly afterCommit: (() => void)[];
  readonly over: (() => void)[];
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
