import type { Cells } from '../../../platform/db/cells.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Lease } from '../../../platform/leases/lease.ts';
import type { Log } from '../../../platform/log.ts';
import type { Deliveries } from '../../deliveries/index.ts';
import { type ScheduleTimes } from './next-times.ts';
import { eventOf } from './schedule-event.ts';
import { type BeginningSchedule, beginDue, type DueSchedule, listDue } from './store.ts';

/** How often it is looked which are due. */
const lookEveryMs = 1000;
/** Schedules that are looked at together. */
const mostAtOnce = 500;
/** Pages of them that are looked at before it begins again with the longest due. */
const mostPages = 20;

interface DueDeps {
  readonly cells: Cells;
  readonly deliveries: Deliveries;
  readonly times: ScheduleTimes;
  /** Which processes look in a cell. */
  readonly leaseOf: (cell: number) => Lease;
  readonly log: Log;
}

/**
 * Puts what is due into the lanes of its functions. Nodes with the lease of a cell look there; whoever changes the time
 * of a schedule first has its run, in the same statement, so each is there once.
 */
export class DueRuns {
  readonly #deps: DueDeps;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: DueDeps) {
    this.#deps = deps;
  }

  start(): void {
    const failed = reporting(this.#deps.log, 'due schedules could not be read');
    const look = () => {
      this.#looking ??= this.look().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    };
    this.#timer = setInterval(guarded(failed, look), lookEveryMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking?.catch(() => {});
  }

  /** Begins what is due in every cell. */
  async look(): Promise<void> {
    await Promise.all(this.#deps.cells.numbers.map((cell) => this.#lookIn(cell)));
  }

  async #lookIn(cell: number): Promise<void> {
    if (!this.#deps.leaseOf(cell).isHeld) return;
    let last: DueSchedule | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const due = await listDue(this.#deps.cells.lookupPool(cell), mostAtOnce, last);
      if (due.length > 0) await this.#begin(cell, due);
      if (due.length < mostAtOnce) return;
      last = due.at(-1);
    }
  }

  async #begin(cell: number, schedules: readonly DueSchedule[]): Promise<void> {
    const { cells, deliveries } = this.#deps;
    const now = new Date();
    const due = schedules.flatMap((schedule) => this.#runsOf(schedule, now));
    for (const lane of await beginDue(cells.pool(cell), due)) deliveries.hint(cell, lane);
  }

  /** None, if its times cannot be told: it holds up no other. */
  #runsOf(schedule: DueSchedule, now: Date): BeginningSchedule[] {
    const { projectId, name, lane } = schedule;
    try {
      const { runs, after } = this.#deps.times.due(schedule, now, projectId);
      return [{ ...schedule, after, events: runs.map((at) => eventOf(lane, at)) }];
    } catch (error) {
      this.#deps.log.error(
        { err: error, project: projectId, schedule: name },
        'a schedule could not be started',
      );
      return [];
    }
  }
}
