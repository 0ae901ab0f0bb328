import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Job,
  Logger,
  type Runner,
  type RunnerOptions,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Pool } from 'pg';
import { connectionNeeds } from '../db/connection-needs.ts';
import type { DatabaseMetrics } from '../db/database-metrics.ts';
import type { DatabaseServer } from '../db/database-server.ts';
import { createPool } from '../db/pool.ts';
import { guarded, reporting } from '../guarded.ts';
import { type Lease, ownLease, whenAborted } from '../leases/lease.ts';
import type { Log } from '../log.ts';
import type { JobMetrics } from './job-metrics.ts';
import { JobTurns, projectOf } from './job-turns.ts';
import { freeAbandonedJobs, sayAlive } from './live-workers.ts';
import { releaseOnce } from './release-once.ts';

/** Does one kind of job; a failure is tried again later. */
export type Task = (content: JobContent, job: RunningJob) => Promise<void>;

export interface RunningJob {
  readonly key: string;
  readonly cell: number;
  /** When it is tried again if it fails now; undefined: it is not. */
  readonly nextTryInS: number | undefined;
}

export interface JobContent extends Readonly<Record<string, unknown>> {
  readonly projectId: string;
}

export interface JobRunnerOptions {
  readonly cells: ReadonlyMap<number, DatabaseServer>;
  readonly concurrency: number;
  readonly tasks: Readonly<Record<string, Task>>;
  /** Which processes do the jobs of a cell. */
  readonly leaseOf?: (cell: number) => Lease;
  readonly metrics?: JobMetrics;
  readonly databaseMetrics?: DatabaseMetrics;
}

/** Of the queue's own statements. What jobs do goes over other connections. */
const statementTimeoutMs = 10_000;
/** Who adds a job wakes the workers; this is for those that are tried again, and for a word that got lost. */
const pollEveryMs = 5000;
const beatEveryMs = 5000;
const restartAfterMs = 5000;

/**
 * Whether a job is noted as done is awaited by the queue's own batches only: without them a database that is away at that
 * moment ends the process, and a node that stops may leave behind what it has done.
 */
const inBatches: NonNullable<RunnerOptions['preset']> = {
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
};

/** Does the jobs of the cells that it has a lease of, some at a time. Which node does a job makes no difference. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: JobRunnerOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** Starts without waiting for the databases: while one is away, the jobs of the others are done. */
  start(): void {
    if (this.#options.concurrency === 0) return;
    for (const [cell, server] of this.#options.cells) this.#keep(this.#takeTurns(cell, server));
  }

  /** Lets jobs under way finish, and takes no new ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  async #takeTurns(cell: number, server: DatabaseServer): Promise<void> {
    const { signal: stopping } = this.#stopping;
    const lease = this.#options.leaseOf?.(cell) ?? ownLease;
    for (;;) {
      const lost = await lease.held(stopping);
      if (!lost) return;
      const over = AbortSignal.any([stopping, lost]);
      // Jobs under way may take hours. Whoever has the lease next, perhaps this node, does not wait for them.
      this.#keep(this.#workUntil(over, cell, server));
      await whenAborted(over);
    }
  }

  async #workUntil(over: AbortSignal, cell: number, server: DatabaseServer): Promise<void> {
    const { metrics, databaseMetrics } = this.#options;
    const watch = databaseMetrics && {
      metrics: databaseMetrics,
      cell: String(cell),
      name: 'jobs' as const,
    };
    const options = { size: connectionNeeds.jobs, statementTimeoutMs, name: 'plinth jobs', watch };
    const pool = createPool(server, options, this.#log);
    releaseOnce(pool);
    const unwatch = [metrics?.watch(cell), databaseMetrics?.watch({ cell, name: 'jobs', pool })];
    while (!over.aborted) {
      try {
        await this.#runUntil(over, cell, pool);
      } catch (error) {
        this.#log.warn({ err: error, cell }, 'jobs of a cell cannot run; they will be retried');
      }
      await sleep(restartAfterMs, undefined, { signal: over }).catch(() => {});
    }
    for (const stop of unwatch) stop?.();
    await pool.end();
  }

  async #runUntil(over: AbortSignal, cell: number, pool: Pool): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const turns = new JobTurns(this.#options.concurrency);
    turns.listenTo(events);
    let workerId: string | undefined;
    events.on(
      'pool:create',
      guarded(reporting(this.#log, 'a worker of jobs has no name'), ({ workerPool }) => {
        workerId = workerPool.id;
      }),
    );
    const taskList = this.#taskList(cell);
    const runner = await run({
      pgPool: pool,
      concurrency: this.#options.concurrency,
      pollInterval: pollEveryMs,
      taskList,
      forbiddenFlags: turns.beginPick,
      parsedCronItems: [],
      preset: inBatches,
      noHandleSignals: true,
      events,
      logger: loggerFor(this.#log, cell),
    });
    const beat = this.#keepAlive(cell, pool, () => workerId);
    const stop = () => void runner.stop().catch(() => {});
    over.addEventListener('abort', stop, { once: true });
    if (over.aborted) stop();
    try {
      await ended(runner);
    } finally {
      clearInterval(beat);
      over.removeEventListener('abort', stop);
      // The queue keeps the options of every runner there ever was: not what our tasks hold, which is the whole node.
      for (const name of Object.keys(taskList)) Reflect.deleteProperty(taskList, name);
    }
  }

  /** Says that this node's worker is alive, and frees what a node that died was doing. */
  #keepAlive(cell: number, pool: Pool, workerId: () => string | undefined): NodeJS.Timeout {
    const beat = async () => {
      try {
        const id = workerId();
        if (id !== undefined) await sayAlive(pool, id);
        const freed = await freeAbandonedJobs(pool);
        if (freed.length > 0)
          this.#log.warn({ cell, workers: freed }, 'jobs of nodes that died are run again');
      } catch (error) {
        if (!this.#stopping.signal.aborted)
          this.#log.warn({ err: error, cell }, 'the heartbeat of jobs failed');
      }
    };
    void beat();
    return setInterval(guarded(reporting(this.#log, 'the heartbeat of jobs failed'), beat), beatEveryMs);
  }

  async #measure(task: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    let result: 'ok' | 'failed' = 'failed';
    try {
      await work();
      result = 'ok';
    } finally {
      this.#options.metrics?.done(task, result, performance.now() - startedAt);
    }
  }

  #taskList(cell: number): TaskList {
    return Object.fromEntries(
      Object.entries(this.#options.tasks).map(([name, task]) => [
        name,
        (content: unknown, { job }: { job: Job }) =>
          this.#measure(name, () =>
            task(checkContent(content), { key: job.key ?? job.id, cell, nextTryInS: nextTryInS(job) }),
          ),
      ]),
    );
  }
}

/** As the queue puts off what has failed. */
function nextTryInS({ attempts, max_attempts: most }: Job): number | undefined {
  return attempts < most ? Math.exp(Math.min(attempts, 10)) : undefined;
}

function checkContent(content: unknown): JobContent {
  if (isJobContent(content)) return content;
  throw new Error('A job does not say which project it is for.');
}

const isJobContent = (content: unknown): content is JobContent => projectOf(content) !== undefined;

async function ended(runner: Runner): Promise<void> {
  await runner.promise;
}

/** The queue's own messages, in our log. What a job carries is left out. */
function loggerFor(log: Log, cell: number): Logger {
  return new Logger(() => (level, message) => {
    // What will be tried again is only a warning.
    const isRetried = /^Failed task|trying again/.test(message);
    // Jobs do not work over its connections, so few are enough for it; and one that has ended hears nothing anyway.
    const isHarmless = /maxPoolSize|attempting to UNLISTEN/.test(message);
    if (isHarmless) log.debug({ cell }, message);
    else if (level === 'error' && !isRetried) log.error({ cell }, message);
    else if (level === 'error' || level === 'warning') log.warn({ cell }, message);
    else log.debug({ cell }, message);
  });
}
