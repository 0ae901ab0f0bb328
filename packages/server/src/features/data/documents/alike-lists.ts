import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import { Batchers } from '../../../platform/concurrency/batcher.ts';
import { isCertain, isTimeout } from '../../../platform/db/failures.ts';
import { mergeAlike } from '../../../platform/db/merge-alike.ts';
import { PreparedTexts } from '../../../platform/db/prepared-texts.ts';
import type { ProjectDb, ProjectLocation } from '../../../platform/db/project-db.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { byMember } from '../../../platform/db/shared-statements.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import { currentCall, outsideCalls } from '../../../platform/tracing/current-call.ts';
import { upToKeys } from '../../../platform/up-to.ts';
import { tooManyQueries } from '../query-shapes/index.ts';
import { ListPace, type Way } from './list-pace.ts';

const mostAtOnce = 3;
/** As few as possible, since each number of members is a statement of its own. */
const sizes = [16, 8, 4, 2, 1];

export interface TimedRows<Row> {
  readonly rows: Row[];
  /** How long one of them took, once it was its turn. */
  readonly ms: number;
}

type Found = TimedRows<QueryResultRow>;

/** Runs the statements of lists. Where many that differ in their values only come at once, one statement does them all. */
export class AlikeLists {
  readonly #scans: Scans;
  readonly #prepared = new PreparedTexts('list');
  readonly #lines = new Batchers<Sql, Found>();
  readonly #paces = new LRUCache<string, ListPace>(upToKeys(8_388_608));

  constructor(scans: Scans) {
    this.#scans = scans;
  }

  /** While a collection moves, its tables change too fast for plans that are kept: each read is planned on its own. */
  async query<Row extends QueryResultRow>(
    { project, isMoving }: { project: ProjectLocation; isMoving: boolean },
    statement: Sql,
  ): Promise<TimedRows<Row>> {
    const key = keyOf(project.id, statement);
    const pace = this.#paceOf(key);
    const way = isMoving ? 'planned' : pace.next({ canMerge: true });
    const found =
      way === 'together'
        ? await this.#inLine(key, { project, pace, statement })
        : await this.#alone({ project, pace, statement }, way);
    return found as TimedRows<Row>;
  }

  /** Runs one statement by itself. */
  async queryAlone<Row extends QueryResultRow>(db: ProjectDb, statement: Sql): Promise<Row[]> {
    const pace = this.#paceOf(keyOf(db.scope.projectId, statement));
    const { rows } = await this.#timed(db, { pace, statement }, pace.next({ canMerge: false }));
    return rows as Row[];
  }

  /** Runs a statement that goes along the primary key, so that one plan is the best for all values. */
  queryByKey<Row extends QueryResultRow>(db: ProjectDb, statement: Sql): Promise<Row[]> {
    return db.read<Row>(statement, this.#prepared.nameOf(statement.text));
  }

  #paceOf(key: string): ListPace {
    let pace = this.#paces.get(key);
    if (!pace) {
      pace = new ListPace();
      this.#paces.set(key, pace);
    }
    return pace;
  }

  /** Its statement is of all who go together: to a call, its time is what it waited for the answer. */
  async #inLine(key: string, { project, pace, statement }: List): Promise<Found> {
    const startedAt = performance.now();
    try {
      return await this.#lines.add(key, statement, () => ({
        mostAtOnce,
        take: (waiting) => sizes.find((size) => size <= Math.min(waiting, pace.mostTogether)) ?? 1,
        answer: (statements) => outsideCalls(() => this.#together({ project, pace }, statements)),
        canTryAlone: isCertain,
      }));
    } finally {
      currentCall()?.note('statement', 'lists together', startedAt, performance.now());
    }
  }

  async #together({ project, pace }: Omit<List, 'statement'>, statements: readonly Sql[]): Promise<Found[]> {
    const merged = statements.length === 1 ? undefined : mergeAlike(statements);
    if (!merged)
      return Promise.all(
        statements.map((statement) => this.#alone({ project, pace, statement }, pace.wayAlone)),
      );
    const found = await this.#inTurn(project, (db) =>
      this.#timed(db, { pace, statement: merged, members: statements.length }, 'together'),
    );
    return byMember(found.rows, statements.length).map((rows) => ({ rows, ms: found.ms }));
  }

  #alone({ project, pace, statement }: List, way: Way): Promise<Found> {
    return this.#inTurn(project, (db) => this.#timed(db, { pace, statement }, way));
  }

  async #inTurn(project: ProjectLocation, run: (db: ProjectDb) => Promise<Found>): Promise<Found> {
    const found = await this.#scans.run(project, run);
    if (!found) throw tooManyQueries();
    return found;
  }

  /** Runs it, and notes how long that took: also if it took too long. */
  async #timed(
    db: ProjectDb,
    { pace, statement, members = 1 }: Omit<List, 'project'> & { members?: number },
    way: Way,
  ): Promise<Found> {
    const name = this.#prepared.nameOf(statement.text);
    const startedAt = performance.now();
    const noted = () => {
      const ms = (performance.now() - startedAt) / members;
      pace.note(way, ms);
      return ms;
    };
    try {
      const rows = await db.read(statement, way === 'planned' ? undefined : name);
      return { rows, ms: noted() };
    } catch (error) {
      if (isTimeout(error)) noted();
      throw error;
    }
  }
}

/** A statement of a project, and what is known of it. */
interface List {
  readonly project: ProjectLocation;
  readonly pace: ListPace;
  readonly statement: Sql;
}

const keyOf = (projectId: string, { text }: Sql) => `${projectId} ${text}`;
