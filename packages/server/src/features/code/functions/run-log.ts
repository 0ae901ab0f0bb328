import { LRUCache } from 'lru-cache';
import type { Project } from '../../../calls/index.ts';
import { ByteBucket } from '../../../platform/concurrency/byte-bucket.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { upTo } from '../../../platform/up-to.ts';
import { insertRuns, type RunRecord } from './run-store.ts';

/** How often what has run is written down. */
const flushEveryMs = 500;
/** Bytes of runs that wait to be written, of one cell; what is more is lost, and counted. */
const mostWaitingBytes = 32 * 1_048_576;
/** Burst of runs and their logs that one node stores for a project. Beyond it, successful runs are left out. @limit - bytes */
const burstBytes = 4 * 1_048_576;
/** Runs and their logs stored per second after that burst. @limit - bytes */
const bytesPerSecond = 8192;
/** What a run takes beside its log. */
const recordBytes = 500;
const mostProjects = 20_000;
const mostInStatement = 200;
/** The log of one run. @limit - bytes */
export const longestLog = 65_536;

interface Waiting {
  readonly projectId: string;
  readonly record: RunRecord;
}

/** What waits to be written to one cell. */
class Line {
  readonly runs: Waiting[] = [];
  bytes = 0;
}

/** Collects what has run in this process, and writes it to the cells. What cannot be written is lost, and counted. */
export class RunLog {
  readonly #cells: Pick<Cells, 'lookupPool' | 'numbers'>;
  readonly #log: Log;
  readonly #waiting: ReadonlyMap<number, Line>;
  readonly #shares = new LRUCache<string, ByteBucket>(upTo(mostProjects));
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
    this.#waiting = new Map(cells.numbers.map((cell) => [cell, new Line()]));
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
    const kept = this.#share(project.id, record);
    const line = this.#waiting.get(project.cell);
    const bytes = kept ? bytesOf(kept) : 0;
    if (!line || !kept || line.bytes + bytes > mostWaitingBytes) {
      this.#lost += 1;
      return;
    }
    line.runs.push({ projectId: project.id, record: kept });
    line.bytes += bytes;
  }

  /** The run as far as the project may keep it: whole, a failure without its log, or not at all. */
  #share(projectId: string, record: RunRecord): RunRecord | undefined {
    const share =
      this.#shares.get(projectId) ?? new ByteBucket({ burst: burstBytes, perSecond: bytesPerSecond });
    this.#shares.set(projectId, share);
    if (share.take(bytesOf(record))) return record;
    if (record.outcome === 'ok') return undefined;
    const short = { ...record, logs: [] };
    return share.take(bytesOf(short)) ? short : undefined;
  }

  /** Writes what waits. Never fails. */
  async flush(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, ([cell, line]) => this.#flushCell(cell, line)));
  }

  async #flushCell(cell: number, line: Line): Promise<void> {
    while (line.runs.length > 0) {
      const some = line.runs.splice(0, mostInStatement);
      line.bytes -= some.reduce((sum, { record }) => sum + bytesOf(record), 0);
      try {
        await insertRuns(this.#cells.lookupPool(cell), some);
      } catch (error) {
        this.#lost += some.length;
        this.#log.warn({ err: error, lost: this.#lost }, 'runs of functions were lost');
      }
    }
  }
}

function bytesOf({ logs, error }: RunRecord): number {
  const printed = logs.reduce((sum, { text }) => sum + text.length + 50, 0);
  return recordBytes + printed + (error ? error.message.length + error.stack.length : 0);
}
