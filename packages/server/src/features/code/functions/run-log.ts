import type { Project } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { insertRuns, type RunRecord } from './run-store.ts';

/** How often what has run is written down. */
const flushEveryMs = 500;
/** Runs that wait to be written, of one cell; what is more is lost, and counted. */
const mostWaiting = 5000;
const mostInStatement = 200;
/** Bytes of the log of one run. @limit - bytes */
export const longestLog = 65_536;

interface Waiting {
  readonly projectId: string;
  readonly record: RunRecord;
}

/** Collects what has run in this process, and writes it to the cells. What cannot be written is lost, and counted. */
export class RunLog {
  readonly #cells: Pick<Cells, 'lookupPool' | 'numbers'>;
  readonly #log: Log;
  readonly #waiting: ReadonlyMap<number, Waiting[]>;
  readonly #onRun: ((project: Project, record: RunRecord) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;

  constructor(
    cells: Pick<Cells, 'lookupPool' | 'numbers'>,
    log: Log,
    onRun?: (project: Project, record: RunRecord) => void,
  ) {
    this.#cells = cells;
    this.#log = log;
    this.#onRun = onRun;
    this.#waiting = new Map(cells.numbers.map((cell) => [cell, []]));
  }

  start(): void {
    const failed = reporting(this.#log, 'runs of functions could not be written');
    this.#timer = setInterval(
      guarded(failed, () => this.flush()),
      flushEveryMs,
    ).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  note(project: Project, record: RunRecord): void {
    this.#onRun?.(project, record);
    const waiting = this.#waiting.get(project.cell);
    if (!waiting || waiting.length >= mostWaiting) this.#lost += 1;
    else waiting.push({ projectId: project.id, record });
  }

  /** Writes what waits. Never fails. */
  async flush(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, ([cell, waiting]) => this.#flushCell(cell, waiting)));
  }

  async #flushCell(cell: number, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, mostInStatement);
      try {
        await insertRuns(this.#cells.lookupPool(cell), some);
      } catch (error) {
        this.#lost += some.length;
        this.#log.warn({ err: error, lost: this.#lost }, 'runs of functions are lost');
      }
    }
  }
}
