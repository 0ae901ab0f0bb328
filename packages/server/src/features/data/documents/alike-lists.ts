import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import { Batchers } from '../../../platform/concurrency/batcher.ts';
import { isCertain } from '../../../platform/db/failures.ts';
import { mergeAlike } from '../../../platform/db/merge-alike.ts';
import { PreparedTexts } from '../../../platform/db/prepared-texts.ts';
import type { ProjectDb, ProjectLocation } from '../../../platform/db/project-db.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { byMember } from '../../../platform/db/shared-statements.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import { upTo } from '../../../platform/up-to.ts';
import { tooManyQueries } from '../query-shapes/index.ts';

/** Only what is quick is read together, so that nobody waits for the slow list of another. */
const quickMs = 5;
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
  readonly #lastMs = new LRUCache<string, number>(upTo(5000));

  constructor(scans: Scans) {
    this.#scans = scans;
  }

  /** While a collection moves, its tables change too fast for plans that are kept: each read is planned on its own. */
  async query<Row extends QueryResultRow>(
    { project, isMoving }: { project: ProjectLocation; isMoving: boolean },
    statement: Sql,
  ): Promise<TimedRows<Row>> {
    if (isMoving) return (await this.#run(project, statement, false)) as TimedRows<Row>;
    const key = `${project.id} ${statement.text}`;
    const isQuick = (this.#lastMs.get(key) ?? Number.POSITIVE_INFINITY) < quickMs;
    const found = isQuick
      ? await this.#lines.add(key, statement, () => ({
          mostAtOnce,
          take: (waiting) => sizes.find((size) => size <= waiting) ?? 1,
          answer: (statements) => this.#runAll(project, statements),
          canTryAlone: isCertain,
        }))
      : await this.#run(project, statement);
    this.#lastMs.set(key, found.ms);
    return found as TimedRows<Row>;
  }

  /** Runs one statement by itself, prepared if it is asked again and again. */
  async queryAlone<Row extends QueryResultRow>(db: ProjectDb, statement: Sql): Promise<Row[]> {
    const { text } = statement;
    const startedAt = performance.now();
    const rows = await db.read<Row>(statement, this.#prepared.nameOf(text));
    this.#prepared.note(text, performance.now() - startedAt);
    return rows;
  }

  async #runAll(project: ProjectLocation, statements: readonly Sql[]): Promise<Found[]> {
    const merged = statements.length === 1 ? undefined : mergeAlike(statements);
    if (!merged) return Promise.all(statements.map((statement) => this.#run(project, statement)));
    const { rows, ms } = await this.#run(project, merged);
    return byMember(rows, statements.length).map((own) => ({ rows: own, ms: ms / statements.length }));
  }

  async #run(project: ProjectLocation, statement: Sql, isPrepared = true): Promise<Found> {
    const found = await this.#scans.run(project, async (db) => {
      const startedAt = performance.now();
      const rows = await (isPrepared ? this.queryAlone(db, statement) : db.query(statement));
      return { rows, ms: performance.now() - startedAt };
    });
    if (!found) throw tooManyQueries();
    return found;
  }
}
