import type { Pool, QueryResultRow } from 'pg';
import { Lines } from '../line.ts';
import { isCertain, run } from './pool.ts';
import { PreparedTexts } from './prepared-texts.ts';
import type { Sql } from './sql.ts';

/** One of the calls that share a statement, and the project that it is for. */
export interface Member<Item> {
  readonly projectId: string;
  readonly item: Item;
}

/**
 * A statement that calls of any project can share, so that many cost one round trip and one commit. It must not wait for
 * what others have locked, and each row of its answer says in `member` whose it is, counted from 1.
 */
export interface SharedStatement<Item> {
  /** The same for the same text, and only for that. */
  readonly name: string;
  readonly sql: (members: readonly Member<Item>[]) => Sql;
  /** The same for a single member, where that can be said more simply. */
  readonly alone?: (member: Member<Item>) => Sql;
}

export interface MemberRow extends QueryResultRow {
  readonly member: string;
}

/** Statements on tables of their own are many: only those that are used are prepared. */
const prepared = new PreparedTexts('together');

/** So many calls share a statement at most. */
const mostMembers = 200;

const linesOf = new WeakMap<Pool, Lines<Member<unknown>, MemberRow[]>>();

/** The rows of one member of a shared statement. Who comes alone goes alone, at once. */
export function runTogether<Item, Row extends MemberRow>(
  pool: Pool,
  statement: SharedStatement<Item>,
  member: Member<Item>,
): Promise<Row[]> {
  const lines = linesOf.get(pool) ?? new Lines();
  linesOf.set(pool, lines);
  const rows = lines.add(statement.name, member, () => ({
    // What comes meanwhile goes with the next: the more there is to do, the more is done at a time.
    mostAtOnce: 1,
    take: () => mostMembers,
    answer: (members) => runShared(pool, statement as SharedStatement<unknown>, members),
    // What may have been committed is not done again.
    canTryAlone: isCertain,
  }));
  return rows as Promise<Row[]>;
}

async function runShared(
  pool: Pool,
  { name, sql, alone }: SharedStatement<unknown>,
  members: readonly Member<unknown>[],
): Promise<MemberRow[][]> {
  const isAlone = alone !== undefined && members.length === 1;
  const statement = isAlone ? alone(members[0]!) : sql(members);
  const key = isAlone ? `${name} alone` : name;
  return byMember(await run<MemberRow>(pool, statement, prepared.nameOf(key)), members.length);
}

/** The rows of each member. */
export function byMember<Row extends QueryResultRow>(rows: readonly Row[], members: number): Row[][] {
  const found = Array.from({ length: members }, (): Row[] => []);
  for (const row of rows) found[Number(row.member) - 1]!.push(row);
  return found;
}
