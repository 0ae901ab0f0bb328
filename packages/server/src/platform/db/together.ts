import type { Pool, QueryResultRow } from 'pg';
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
/** What comes meanwhile goes with the next: the more there is to do, the more is done at a time. */
const mostAtOnce = 1;

const linesOf = new WeakMap<Pool, Map<string, Line>>();

/** The rows of one member of a shared statement. Who comes alone goes alone, at once. */
export function runTogether<Item, Row extends MemberRow>(
  pool: Pool,
  statement: SharedStatement<Item>,
  member: Member<Item>,
): Promise<Row[]> {
  const lines = linesOf.get(pool) ?? new Map<string, Line>();
  linesOf.set(pool, lines);
  let line = lines.get(statement.name);
  if (!line) {
    line = new Line(pool, statement as SharedStatement<unknown>, () => lines.delete(statement.name));
    lines.set(statement.name, line);
  }
  return line.add(member) as Promise<Row[]>;
}

interface Call {
  readonly member: Member<unknown>;
  readonly resolve: (rows: MemberRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of one statement. */
class Line {
  readonly #pool: Pool;
  readonly #statement: SharedStatement<unknown>;
  readonly #onIdle: () => void;
  #waiting: Call[] = [];
  #running = 0;
  #isDue = false;

  constructor(pool: Pool, statement: SharedStatement<unknown>, onIdle: () => void) {
    this.#pool = pool;
    this.#statement = statement;
    this.#onIdle = onIdle;
  }

  add(member: Member<unknown>): Promise<MemberRow[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ member, resolve, reject });
      this.#goOn();
    });
  }

  /** At the end of this turn of the event loop: whoever arrived with it goes along. */
  #goOn(): void {
    if (this.#isDue || this.#running === mostAtOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#send(this.#waiting.splice(0, mostMembers));
    });
  }

  async #send(calls: readonly Call[]): Promise<void> {
    this.#running += 1;
    this.#goOn();
    try {
      await this.#answer(calls);
    } finally {
      this.#running -= 1;
      this.#goOn();
      if (this.#running === 0 && this.#waiting.length === 0) this.#onIdle();
    }
  }

  async #answer(calls: readonly Call[]): Promise<void> {
    try {
      const members = calls.map(({ member }) => member);
      const { name, sql, alone } = this.#statement;
      const isAlone = alone !== undefined && members.length === 1;
      const statement = isAlone ? alone(members[0]!) : sql(members);
      const key = isAlone ? `${name} alone` : name;
      const rows = await run<MemberRow>(this.#pool, statement, prepared.nameOf(key));
      const found = calls.map((): MemberRow[] => []);
      for (const row of rows) found[Number(row.member) - 1]!.push(row);
      for (const [at, { resolve }] of calls.entries()) resolve(found[at]!);
    } catch (error) {
      // One that fails must not fail the others. What may have been committed is not done again.
      if (calls.length > 1 && isCertain(error)) await Promise.all(calls.map((call) => this.#answer([call])));
      else for (const { reject } of calls) reject(error);
    }
  }
}
