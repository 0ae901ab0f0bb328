import type { Project } from '../calls/index.ts';
import { tendPartitions } from '../features/control/requests/index.ts';
import { foldHours, type Holdings, noteDays } from '../features/control/usage/index.ts';
import { dropUnused } from '../features/data/indexes/index.ts';
import { forgetUnusedLinks } from '../features/data/links/index.ts';
import { sweepLooseBlobs } from '../features/files/uploads/index.ts';
import { userScope } from '../features/people/user-records/index.ts';
import { removeDeletedRows } from '../features/project-data/index.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Cells } from '../platform/db/cells.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { ProjectDb } from '../platform/db/project-db.ts';
import { guarded, reporting } from '../platform/guarded.ts';
import { forgetGivenUpJobs } from '../platform/jobs/manage-jobs.ts';
import type { Log } from '../platform/log.ts';
import { expireRows } from '../platform/tables/expire-rows.ts';
import type { OwnedTable } from '../platform/tables/owned-table.ts';

const everyMs = 30_000;
const hourMs = 3_600_000;

interface HousekeepingDeps {
  readonly cells: Cells;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly tables: readonly OwnedTable[];
  readonly findProject: (id: string) => Promise<Project | undefined>;
  /** Removes projects whose time is over. */
  readonly removeDue: (isStopped: () => boolean) => Promise<void>;
  readonly requestLogDays: number;
  /** What a project holds by now. */
  readonly holdingsOf: (db: ProjectDb) => Promise<Holdings>;
}

/** Tidies every cell now and then, and soon after something was deleted. Any node may do any of it. */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  readonly #nextHour = new Map<number, number>();

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  start(): void {
    // Spread over time, so that nodes which start together do not do this together.
    const failed = reporting(this.#deps.log, 'housekeeping could not begin');
    const ms = everyMs * (0.75 + Math.random() / 2);
    this.#timer = setInterval(
      guarded(failed, () => this.soon()),
      ms,
    ).unref();
  }

  /** Starts a round, or lets the one that is running be followed by another. */
  soon(): void {
    if (this.#stopped) return;
    if (this.#running) this.#again = true;
    else this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      for (const cell of this.#deps.cells.numbers) {
        for (const task of this.#tasks(cell)) await this.#try(cell, task);
      }
    } while (this.#again && !this.#stopped);
    this.#running = undefined;
  }

  /** What there is to do in a cell; once an hour also what reads whole tables. */
  #tasks(cell: number): ((pool: Pool) => Promise<void>)[] {
    const { tables, blobs, findProject, removeDue, requestLogDays, holdingsOf } = this.#deps;
    const isStopped = () => this.#stopped;
    const isHourDue = performance.now() >= (this.#nextHour.get(cell) ?? 0);
    if (isHourDue) this.#nextHour.set(cell, performance.now() + hourMs);
    const isHere = ({ name }: OwnedTable) => cell === 1 || !name.startsWith('control.');
    const expiring = tables.filter(
      (table) => table.expires && isHere(table) && (isHourDue || !table.expires.hourly),
    );
    return [
      ...(cell === 1 ? [() => removeDue(isStopped)] : []),
      (pool) => removeDeletedRows(pool, tables, isStopped),
      ...expiring.map((table) => (pool: Pool) => expireRows(pool, table, isStopped)),
      forgetGivenUpJobs,
      ...(isHourDue
        ? [
            (pool: Pool) => dropUnused(pool, findProject),
            (pool: Pool) => tendPartitions(pool, requestLogDays),
            (pool: Pool) => foldHours(pool, isStopped),
            (pool: Pool) => noteDays(pool, { findProject, holdingsOf, isStopped }),
          ]
        : []),
      (pool) => forgetUnusedLinks(pool, userScope.table, isStopped),
      (pool) => sweepLooseBlobs(pool, blobs, isStopped),
    ];
  }

  /** One task that fails does not keep the others from being done. */
  async #try(cell: number, task: (pool: Pool) => Promise<void>): Promise<void> {
    if (this.#stopped) return;
    try {
      await task(this.#deps.cells.pool(cell));
    } catch (error) {
      this.#deps.log.warn({ err: error, cell }, 'housekeeping in a cell failed; it is tried again');
    }
  }
}
