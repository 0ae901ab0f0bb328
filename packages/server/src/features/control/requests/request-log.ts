import type { FinishedCall, Project } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { errorCode } from '../../../platform/error-code.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import type { Registry } from '../../../platform/metrics/registry.ts';
import { type Line, LineBuffer } from './line-buffer.ts';
import { tendPartitions } from './partition-store.ts';
import { recordOf } from './record-of.ts';
import { insertLines, numberRoutes } from './request-store.ts';
import type { RequestTail } from './request-tail.ts';
import { Sampling } from './sampling.ts';

interface RequestLogDeps {
  readonly cells: Pick<Cells, 'lookupPool' | 'numbers'>;
  readonly tail: RequestTail;
  /** Undefined for a project that was deleted. */
  readonly findProject: (ref: string) => NowOrLater<Project | undefined>;
  /** Does a cell take no more writes? */
  readonly isFull: (cell: number) => boolean;
  /** 0: nothing is kept. */
  readonly days: number;
  /** For projects that have not said whether query strings are kept whole. */
  readonly keepsValues: boolean;
  readonly log: Log;
}

const flushEveryMs = 2000;
const mostInStatement = 1000;
/** What PostgreSQL says of a row that no partition takes. */
const noPartition = '23514';

/** Collects the calls of this process, and writes them to their cells. What cannot be written is lost, and counted. */
export class RequestLog {
  readonly #deps: RequestLogDeps;
  readonly #sampling = new Sampling();
  readonly #buffers: ReadonlyMap<number, LineBuffer>;
  readonly #routes = new Map<number, ReadonlyMap<string, number>>();
  readonly #flushing = new Map<number, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
    this.#buffers = new Map(deps.cells.numbers.map((cell) => [cell, new LineBuffer()]));
  }

  addMetrics(metrics: Registry): void {
    metrics.gauge({
      name: 'plinth_request_log_waiting',
      help: 'Lines of the request log waiting to be written to a cell.',
      labels: ['cell'],
      scope: 'node',
      read: () => Array.from(this.#buffers, ([cell, { size }]) => [String(cell), size] as const),
    });
    metrics.gauge({
      name: 'plinth_request_log_lost_total',
      help: 'Lines of the request log that could not be written.',
      type: 'counter',
      read: () => this.#lost,
    });
  }

  start(): void {
    const failed = reporting(this.#deps.log, 'the request log could not be written');
    this.#timer = setInterval(
      guarded(failed, () => this.flush()),
      flushEveryMs,
    ).unref();
    this.#deps.tail.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#deps.tail.stop();
    await Promise.all(this.#flushing.values());
    await this.flush();
  }

  /** Notes a call, if it is one of those that are kept. */
  note(call: FinishedCall): void {
    const { days, tail, keepsValues } = this.#deps;
    const { project } = call;
    if (days === 0 || project.limits.requestLogDays === 0) return;
    const weight = this.#sampling.weigh(call);
    const buffer = this.#buffers.get(project.cell);
    if (weight === 0 || !buffer) return;
    const { logQueries } = project.settings;
    const record = recordOf(call, weight, logQueries === undefined ? keepsValues : logQueries === 'full');
    this.#lost += buffer.add({ project, record });
    tail.tell(project.id, record);
    if (buffer.size >= mostInStatement) void this.#flushCell(project.cell);
  }

  /** Writes what waits. Never fails. */
  async flush(): Promise<void> {
    await Promise.all(this.#deps.cells.numbers.map((cell) => this.#flushCell(cell)));
  }

  /** One statement at a time for each cell. */
  #flushCell(cell: number): Promise<void> {
    const running = this.#flushing.get(cell);
    if (running) return running;
    const flushing = this.#writeAll(cell).finally(() => this.#flushing.delete(cell));
    this.#flushing.set(cell, flushing);
    return flushing;
  }

  async #writeAll(cell: number): Promise<void> {
    for (;;) {
      const lines = this.#buffers.get(cell)?.take(mostInStatement) ?? [];
      if (lines.length === 0) return;
      try {
        if (this.#deps.isFull(cell)) throw new Error('The cell is full.');
        await this.#write(cell, await this.#ofProjectsThere(lines));
      } catch (error) {
        this.#lost += lines.length;
        this.#deps.log.debug({ err: error, cell, lines: lines.length }, 'lines of the request log were lost');
      }
    }
  }

  /** A call may end after its project was deleted. */
  async #ofProjectsThere(lines: readonly Line[]): Promise<Line[]> {
    const refs = [...new Set(lines.map(({ project }) => project.ref))];
    const found = await Promise.all(refs.map(async (ref) => this.#deps.findProject(ref)));
    const there = new Set(found.map((project) => project?.ref));
    return lines.filter(({ project }) => there.has(project.ref));
  }

  async #write(cell: number, lines: readonly Line[]): Promise<void> {
    const pool = this.#deps.cells.lookupPool(cell);
    const routes = await this.#numbersOf(cell, pool, lines);
    try {
      await insertLines(pool, lines, routes);
    } catch (error) {
      if (errorCode(error) !== noPartition) throw error;
      await tendPartitions(pool, this.#deps.days);
      await insertLines(pool, lines, routes);
    }
  }

  async #numbersOf(cell: number, pool: Pool, lines: readonly Line[]): Promise<ReadonlyMap<string, number>> {
    const known = this.#routes.get(cell);
    const missing = new Set(lines.map(({ record }) => record.route).filter((route) => !known?.has(route)));
    if (known && missing.size === 0) return known;
    const routes = await numberRoutes(pool, [...missing]);
    this.#routes.set(cell, routes);
    return routes;
  }
}
