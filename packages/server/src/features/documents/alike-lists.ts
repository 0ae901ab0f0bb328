import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import { mergeAlike } from '../../platform/db/merge-alike.ts';
import { isCertain } from '../../platform/db/pool.ts';
import type { ProjectLocation } from '../../platform/db/project-db.ts';
import type { Scans } from '../../platform/db/scans.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { tooManyQueries } from '../indexes/index.ts';
import { queryPrepared } from './list-store.ts';

/** Only what is quick is read together: nobody is to wait for the slow list of another. */
const quickMs = 5;
/** So many of one kind are on their way at once; what comes meanwhile goes with the next. */
const mostAtOnce = 3;
/** As few as possible, since each number of members is a statement of its own. */
const sizes = [16, 8, 4, 2, 1];

export interface TimedRows<Row> {
  readonly rows: Row[];
  /** How long one of them took, once it was its turn. */
  readonly ms: number;
}

/** Reads of a collection that differ in their values only are done by one statement, where many come at once. */
export class AlikeLists {
  readonly #scans: Scans;
  readonly #lines = new Map<string, Line>();
  readonly #lastMs = new LRUCache<string, number>({ max: 5000 });

  constructor(scans: Scans) {
    this.#scans = scans;
  }

  async query<Row extends QueryResultRow>(project: ProjectLocation, statement: Sql): Promise<TimedRows<Row>> {
    const key = `${project.id} ${statement.text}`;
    const isQuick = (this.#lastMs.get(key) ?? Number.POSITIVE_INFINITY) < quickMs;
    const run = (one: Sql) => this.#run<Row>(project, one);
    const found = isQuick ? await this.#lineOf(key, run).add(statement) : await run(statement);
    this.#lastMs.set(key, found.ms);
    return found as TimedRows<Row>;
  }

  async #run<Row extends QueryResultRow>(project: ProjectLocation, statement: Sql): Promise<TimedRows<Row>> {
    const found = await this.#scans.run(project, async (db) => {
      const startedAt = performance.now();
      const rows = await queryPrepared<Row>(db, statement);
      return { rows, ms: performance.now() - startedAt };
    });
    if (!found) throw tooManyQueries();
    return found;
  }

  #lineOf(key: string, run: Run): Line {
    const line = this.#lines.get(key) ?? new Line(run, () => this.#lines.delete(key));
    this.#lines.set(key, line);
    return line;
  }
}

type Found = TimedRows<QueryResultRow>;
type Run = (statement: Sql) => Promise<Found>;

interface Call {
  readonly statement: Sql;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of one text. */
class Line {
  readonly #run: Run;
  readonly #onIdle: () => void;
  #waiting: Call[] = [];
  #running = 0;
  #isDue = false;

  constructor(run: Run, onIdle: () => void) {
    this.#run = run;
    this.#onIdle = onIdle;
  }

  add(statement: Sql): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#isDue || this.#running === mostAtOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#send(
        this.#waiting.splice(
          0,
          sizes.find((size) => size <= this.#waiting.length),
        ),
      );
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
    const statements = calls.map(({ statement }) => statement);
    const merged = calls.length === 1 ? statements[0] : mergeAlike(statements);
    if (!merged) return this.#answerEach(calls);
    try {
      const { rows, ms } = await this.#run(merged);
      const found = calls.map((): QueryResultRow[] => []);
      for (const row of rows) found[calls.length === 1 ? 0 : (row.member as number) - 1]!.push(row);
      for (const [at, { resolve }] of calls.entries()) resolve({ rows: found[at]!, ms: ms / calls.length });
    } catch (error) {
      // One that fails must not fail the others.
      if (calls.length > 1 && isCertain(error)) await this.#answerEach(calls);
      else for (const { reject } of calls) reject(error);
    }
  }

  async #answerEach(calls: readonly Call[]): Promise<void> {
    await Promise.all(calls.map((call) => this.#answer([call])));
  }
}
