import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { currentCall } from '../tracing/current-call.ts';
import type { Cells } from './cells.ts';
import { NoAnswerError } from './connection.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import type { ProjectDb, ProjectLocation } from './project-db.ts';

/**
 * Reads that may go through a whole collection. They have connections of their own with a shorter time limit, and
 * projects take turns on them: however slow the queries of one project are, writes and other projects need not wait.
 */
export class Scans {
  readonly #cells: Cells;
  readonly #longestWaitMs: number;
  readonly #metrics: DatabaseMetrics | undefined;
  readonly #turns: ReadonlyMap<number, FairSemaphore>;

  constructor(cells: Cells, longestWaitMs: number, metrics?: DatabaseMetrics) {
    this.#cells = cells;
    this.#metrics = metrics;
    this.#longestWaitMs = longestWaitMs;
    this.#turns = new Map(cells.numbers.map((number) => [number, new FairSemaphore(cells.scanConnections)]));
  }

  /** Does the work when it is the project's turn; undefined if that did not come in time because others took it. */
  async run<Result>(
    project: ProjectLocation,
    work: (db: ProjectDb) => Promise<Result>,
  ): Promise<Result | undefined> {
    const db = this.#cells.forScans(project);
    const startedAt = performance.now();
    const done = await this.#turns.get(project.cell)?.run(project.id, this.#longestWaitMs, async () => {
      currentCall()?.note('pool wait', 'turn', startedAt, performance.now());
      return { result: await work(db) };
    });
    if (done) return done.result;
    if (this.#cells.callServer(project.cell).isSilentSince(startedAt))
      throw new NoAnswerError(this.#longestWaitMs);
    this.#metrics?.turnedAway(project.cell);
    return undefined;
  }
}
