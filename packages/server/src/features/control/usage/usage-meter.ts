import { randomUUID } from 'node:crypto';
import type { FinishedCall, Project } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import type { Registry } from '../../../platform/metrics/registry.ts';
import { addCall, callsOf, noUsage, type Usage } from './usage.ts';
import { addToHours } from './usage-store.ts';

interface UsageDeps {
  readonly cells: Pick<Cells, 'lookupPool' | 'numbers'>;
  /** Undefined for a project that was deleted. */
  readonly findProject: (ref: string) => NowOrLater<Project | undefined>;
  readonly log: Log;
}

type Counted = Pick<Project, 'id' | 'ref'>;

interface Tally {
  readonly project: Counted;
  readonly hour: number;
  readonly usage: Usage;
}

interface Batch {
  readonly number: number;
  readonly tallies: readonly Tally[];
  tries: number;
}

/** What waits for a cell: sums that grow, and a batch of them on its way. */
interface Waiting {
  readonly tallies: Map<string, Tally>;
  sent?: Batch | undefined;
}

const flushEveryMs = 30_000;
const hourMs = 3_600_000;
/** Sums that wait for a cell that is away. */
const mostTallies = 20_000;
const mostInBatch = 2000;
/** An hour of them: then what a batch holds is given up. */
const mostTries = 120;

/** Counts every call of every project in memory, and adds the sums to the hours of their cells. */
export class UsageMeter {
  readonly #deps: UsageDeps;
  readonly #process = randomUUID();
  readonly #waiting: ReadonlyMap<number, Waiting>;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #batches = 0;
  #lost = 0;

  constructor(deps: UsageDeps) {
    this.#deps = deps;
    this.#waiting = new Map(deps.cells.numbers.map((cell) => [cell, { tallies: new Map() }]));
  }

  addMetrics(metrics: Registry): void {
    metrics.gauge({
      name: 'plinth_usage_lost_calls_total',
      help: 'Requests missing from the usage of projects.',
      type: 'counter',
      read: () => this.#lost,
    });
  }

  start(): void {
    const failed = reporting(this.#deps.log, 'usage could not be aggregated');
    // Spread over time, so that nodes started together do not write together.
    const everyMs = flushEveryMs * (0.75 + Math.random() / 2);
    this.#timer = setInterval(
      guarded(failed, () => this.flush()),
      everyMs,
    ).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  note(call: FinishedCall): void {
    const { project } = call;
    const tallies = this.#waiting.get(project.cell)?.tallies;
    if (!tallies) return;
    const hour = Math.floor(Date.now() / hourMs);
    const known = tallies.get(project.id);
    if (known?.hour === hour) return addCall(known.usage, call);
    if (tallies.size >= mostTallies) {
      this.#lost += 1;
      return;
    }
    // The hour before waits beside this one.
    if (known) tallies.set(`${project.id} ${known.hour}`, known);
    const usage = noUsage();
    tallies.set(project.id, { project, hour, usage });
    addCall(usage, call);
  }

  /** Adds what was counted since the last time. Never fails: what could not be added is tried again. */
  async flush(): Promise<void> {
    this.#flushing ??= this.#addAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #addAll(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, ([cell, waiting]) => this.#addTo(cell, waiting)));
  }

  async #addTo(cell: number, waiting: Waiting): Promise<void> {
    while (waiting.sent || waiting.tallies.size > 0) {
      waiting.sent ??= this.#nextBatch(waiting);
      if (!(await this.#send(cell, waiting.sent))) return;
      waiting.sent = undefined;
    }
  }

  #nextBatch({ tallies }: Waiting): Batch {
    const taken = [...tallies].slice(0, mostInBatch);
    for (const [key] of taken) tallies.delete(key);
    return { number: (this.#batches += 1), tallies: taken.map(([, tally]) => tally), tries: 0 };
  }

  /** Nobody may know whether a batch has arrived: so it is sent again as it was, and counts once. */
  async #send(cell: number, batch: Batch): Promise<boolean> {
    try {
      const there = await this.#ofProjectsThere(batch.tallies);
      const hours = there.map(({ project, hour, usage }) => {
        return { projectId: project.id, hour: new Date(hour * hourMs), usage };
      });
      await addToHours(this.#deps.cells.lookupPool(cell), {
        process: this.#process,
        number: batch.number,
        hours,
      });
      return true;
    } catch (error) {
      batch.tries += 1;
      this.#deps.log.debug({ err: error, cell }, 'usage could not be recorded; it will be retried');
      if (batch.tries < mostTries) return false;
      this.#lose(batch.tallies);
      return true;
    }
  }

  /** A call may end after its project was deleted. */
  async #ofProjectsThere(tallies: readonly Tally[]): Promise<Tally[]> {
    const found = await Promise.all(tallies.map(async ({ project }) => this.#deps.findProject(project.ref)));
    return tallies.filter((_, at) => found[at] !== undefined);
  }

  #lose(tallies: readonly Tally[]): void {
    this.#lost += tallies.reduce((sum, { usage }) => sum + callsOf(usage), 0);
  }
}
