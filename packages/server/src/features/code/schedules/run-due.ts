import type { Cells } from '../../../platform/db/cells.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { countKept, type Deliveries } from '../../deliveries/index.ts';
import { type ScheduleTimes } from './next-times.ts';
import { eventOf } from './schedule-event.ts';
import { type DueSchedule, listDue, takeDue } from './store.ts';

/** How often it is looked which are due. */
const lookEveryMs = 1000;
/** Schedules that are looked at together. */
const mostAtOnce = 500;

interface DueDeps {
  readonly cells: Cells;
  readonly deliveries: Deliveries;
  readonly times: ScheduleTimes;
  readonly log: Log;
}

/**
 * Puts what is due into the lanes of its functions. Every node looks; whoever changes the time of a schedule first has
 * its run, in the same transaction, so each is there once.
 */
export class DueRuns {
  readonly #deps: DueDeps;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: DueDeps) {
    this.#deps = deps;
  }

  start(): void {
    const failed = reporting(this.#deps.log, 'it could not be seen which schedules are due');
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
    const due = await listDue(this.#deps.cells.lookupPool(cell), mostAtOnce);
    const byProject = Map.groupBy(due, ({ projectId }) => projectId);
    // One project whose schedules cannot be begun holds up no other.
    for (const [id, schedules] of byProject)
      await this.#begin({ id, cell }, schedules).catch((error: unknown) =>
        this.#deps.log.error({ err: error, cell, project: id }, 'schedules of a project could not be begun'),
      );
  }

  async #begin(project: { id: string; cell: number }, schedules: readonly DueSchedule[]): Promise<void> {
    const { cells, deliveries, times } = this.#deps;
    const now = new Date();
    const due = schedules.map((schedule) => ({ ...schedule, ...times.due(schedule, now, project.id) }));
    await cells.forProject(project).transaction(async (db) => {
      const taken = await takeDue(db, due);
      const mine = due.filter(({ name }) => taken.has(name));
      const events = [];
      for (const { lane, overlap, runs } of mine) {
        // The run before has not ended: this one is left out.
        if (overlap === 'skip' && (await countKept(db, lane)).waiting > 0) continue;
        for (const at of runs) events.push(eventOf(lane, at));
      }
      if (events.length > 0) await deliveries.add(db, project, events);
    });
  }
}
