import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../calls/index.ts';
import { tendPartitions } from '../features/control/requests/index.ts';
import { foldHours, type Holdings, noteDays } from '../features/control/usage/index.ts';
import { dropUnused } from '../features/data/indexes/index.ts';
import { forgetUnusedLinks } from '../features/data/links/index.ts';
import { sweepLooseBlobs } from '../features/files/uploads/index.ts';
import { userScope } from '../features/people/user-records/index.ts';
import { removeDeletedRows } from '../features/project-data/index.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts';
import type { Cells } from '../platform/db/cells.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { ProjectDb } from '../platform/db/project-db.ts';
import { guarded, reporting } from '../platform/guarded.ts';
import { forgetGivenUpJobs } from '../platform/jobs/manage-jobs.ts';
import type { Lease } from '../platform/leases/lease.ts';
import type { Log } from '../platform/log.ts';
import { expireRows } from '../platform/tables/expire-rows.ts';
import type { OwnedTable } from '../platform/tables/owned-table.ts';

const everyMs = 30_000;
const hourMs = 3_600_000;
/** Cells that are tidied at once. */
const mostAtOnce = 4;
/** A cell that takes longer goes on by itself, and the next one has its place. */
const longestTurnMs = 60_000;
/** What hangs is not waited for when the node stops. */
const longestEndMs = 5000;

interface HousekeepingDeps {
  readonly cells: Cells;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly tables: readonly OwnedTable[];
  readonly findProject: (id: string) => Promise<Project | undefined>;
  /** Removes projects whose time is over. */
  readonly removeDue: (isStopped: () => boolean) => Promise<void>;
  readonly requestLogDays: number;
  /** Which processes tidy a cell now and then. */
  readonly leaseOf: (cell: number) => Lease;
  /** What a project holds by now. */
  readonly holdingsOf: (db: ProjectDb) => Promise<Holdings>;
}

/**
 * Tidies cells now and then, where it has the lease, and every cell soon after something was deleted. Any node may do any
 * of it.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #nextHour = new Map<number, number>();
  readonly #turns = new FairSemaphore(mostAtOnce, 1);
  /** Cells that are being tidied, or wait for it. */
  readonly #busy = new Map<number, Promise<void>>();
  /** Those that are tidied once more after that. */
  readonly #again = new Set<number>();

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  start(): void {
    // Wanted now, they are there for the first round.
    for (const cell of this.#deps.cells.numbers) this.#deps.leaseOf(cell);
    // Spread over time, so that nodes which start together do not do this together.
    const failed = reporting(this.#deps.log, 'housekeeping could not start');
    const ms = everyMs * (0.75 + Math.random() / 2);
    this.#timer = setInterval(
      guarded(failed, () =>
        this.#beginIn(this.#deps.cells.numbers.filter((cell) => this.#deps.leaseOf(cell).isHeld)),
      ),
      ms,
    ).unref();
  }

  /** Something was deleted: it is cleared away in whichever cell it was. */
  soon(): void {
    this.#beginIn(this.#deps.cells.numbers);
  }

  /** Starts a round, or lets one that is running be followed by another, in each cell by itself. */
  #beginIn(cells: readonly number[]): void {
    for (const cell of cells) {
      if (this.#busy.has(cell)) this.#again.add(cell);
      else this.#begin(cell);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await within(longestEndMs, Promise.all(this.#busy.values()));
  }

  #begin(cell: number): void {
    if (this.#stopped) return;
    const ended = this.#inTurn(cell).finally(() => {
      this.#busy.delete(cell);
      if (this.#again.delete(cell)) this.#begin(cell);
    });
    this.#busy.set(cell, ended);
  }

  /** A cell that hangs keeps its place only for a while, and no other cell waiting. */
  async #inTurn(cell: number): Promise<void> {
    const leave = await this.#turns.enter(String(cell), everyMs);
    if (!leave) return;
    const tidied = this.#tidy(cell);
    await within(longestTurnMs, tidied).finally(leave);
    await tidied;
  }

  async #tidy(cell: number): Promise<void> {
    for (const task of this.#tasks(cell)) await this.#try(cell, task);
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
      this.#deps.log.warn({ err: error, cell }, 'housekeeping in a cell failed; it will be retried');
    }
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: waiting.signal, ref: false })]).finally(() =>
    waiting.abort(),
  );
}
