import type { Pool, QueryResultRow } from 'pg';
import { Batchers } from '../concurrency/batcher.ts';
import { outsideCalls } from '../tracing/current-call.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import { isCertain } from './failures.ts';
import { run, runRead } from './pool.ts';
import { PreparedTexts } from './prepared-texts.ts';
import type { Sql } from './sql.ts';

/** One of the calls that share a statement, and its project. */
export interface Member<Item> {
  readonly projectId: string;
  readonly item: Item;
}

/**
 * A statement that calls of any project can share, so that many cost one round trip and one commit. It must not wait for
 * what others have locked. Each row of its answer says in `member` which call it belongs to, counted from 1.
 */
export interface SharedStatement<Item> {
  /** The same for the same text, and only for that. */
  readonly name: string;
  readonly sql: (members: readonly Member<Item>[]) => Sql;
  /** It does nothing but read. */
  readonly isRead?: boolean;
  /** The same for a single member, where there is a simpler way to say it. */
  readonly alone?: (member: Member<Item>) => Sql;
}

export interface MemberRow extends QueryResultRow {
  readonly member: string;
}

/** How many calls share a statement at most. */
export const mostMembers = 200;

/** Runs statements of one pool for many calls at once. */
export class SharedStatements {
  readonly #pool: Pool;
  readonly #metrics: DatabaseMetrics | undefined;
  readonly #batchers = new Batchers<Member<unknown>, MemberRow[]>();
  /** Collections with tables of their own make for many statements: only those that come often are prepared. */
  readonly #prepared = new PreparedTexts('together');

  constructor(pool: Pool, metrics?: DatabaseMetrics) {
    this.#pool = pool;
    this.#metrics = metrics;
  }

  /** The rows of one member. A call that has no company does not wait for any. */
  run<Item, Row extends MemberRow>(statement: SharedStatement<Item>, member: Member<Item>): Promise<Row[]> {
    const rows = this.#batchers.add(statement.name, member, () => ({
      // What comes meanwhile goes with the next group: the more there is to do, the more is done at a time.
      mostAtOnce: 1,
      take: () => mostMembers,
      // All items of one name are of one type.
      answer: (members) => outsideCalls(() => this.#answer(statement as SharedStatement<unknown>, members)),
      // What may have been committed is not done again.
      canTryAlone: isCertain,
    }));
    return rows as Promise<Row[]>;
  }

  async #answer(
    { name, sql, alone, isRead }: SharedStatement<unknown>,
    members: readonly Member<unknown>[],
  ): Promise<MemberRow[][]> {
    this.#metrics?.shared(members.length);
    const [first] = members;
    const isAlone = alone !== undefined && first !== undefined && members.length === 1;
    const statement = isAlone ? alone(first) : sql(members);
    const key = isAlone ? `${name} alone` : name;
    const ask = isRead ? runRead : run;
    return byMember(await ask<MemberRow>(this.#pool, statement, this.#prepared.nameOf(key)), members.length);
  }
}

/** The rows of each member. */
export function byMember<Row extends QueryResultRow>(rows: readonly Row[], members: number): Row[][] {
  const found = Array.from({ length: members }, (): Row[] => []);
  for (const row of rows) found[Number(row.member) - 1]?.push(row);
  return found;
}
