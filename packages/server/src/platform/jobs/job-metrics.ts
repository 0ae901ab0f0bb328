import type { Cells } from '../db/cells.ts';
import { run } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Histogram } from '../metrics/instruments.ts';
import type { Registry } from '../metrics/registry.ts';

interface WaitingRow {
  readonly task: string;
  readonly waiting: string;
  readonly failed: string;
  readonly oldest: number;
}

/** So many jobs of a cell are looked at, so that a long queue does not become slower by being watched. */
const mostCounted = 10_000;
/** Jobs may take hours. */
const seconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];
const believedForMs = 1000;

/** What operators see of jobs. A cell is asked by the processes that do its jobs. */
export class JobMetrics {
  readonly #cells: Pick<Cells, 'lookupPool'>;
  readonly #watched = new Set<number>();
  readonly #seconds: Histogram;
  #known: { readonly until: number; readonly rows: Promise<[string, WaitingRow][]> } | undefined;

  constructor(metrics: Registry, cells: Pick<Cells, 'lookupPool'>) {
    this.#cells = cells;
    this.#seconds = metrics.histogram({
      name: 'plinth_job_seconds',
      help: 'Duration of jobs, by task and result.',
      labels: ['task', 'result'],
      bounds: seconds,
    });
    const shared = { labels: ['cell', 'task'], scope: 'service' } as const;
    metrics.gauge({
      name: 'plinth_jobs_waiting',
      help: `Jobs of a cell waiting for their turn or their next attempt; counted up to ${mostCounted}.`,
      ...shared,
      read: () => this.#read(({ waiting }) => Number(waiting)),
    });
    metrics.gauge({
      name: 'plinth_jobs_oldest_seconds',
      help: 'How long the oldest due job has been waiting.',
      ...shared,
      read: () => this.#read(({ oldest }) => oldest),
    });
    metrics.gauge({
      name: 'plinth_jobs_failed',
      help: 'Jobs that have used up their attempts, kept until an operator retries or removes them.',
      ...shared,
      read: () => this.#read(({ failed }) => Number(failed)),
    });
  }

  /** This process does the jobs of the cell from now on; returns how to say that it no longer does. */
  watch(cell: number): () => void {
    this.#watched.add(cell);
    return () => this.#watched.delete(cell);
  }

  done(task: string, result: 'ok' | 'failed', ms: number): void {
    this.#seconds.observe(ms / 1000, task, result);
  }

  async #read(value: (row: WaitingRow) => number): Promise<(readonly [string[], number])[]> {
    if (!this.#known || this.#known.until < performance.now())
      this.#known = { until: performance.now() + believedForMs, rows: this.#ask() };
    return (await this.#known.rows).map(([cell, row]) => [[cell, row.task], value(row)] as const);
  }

  async #ask(): Promise<[string, WaitingRow][]> {
    const found = await Promise.allSettled(
      Array.from(this.#watched, async (cell) => {
        const rows = await run<WaitingRow & Record<string, unknown>>(
          this.#cells.lookupPool(cell),
          sql`SELECT task_identifier AS task,
              count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts) AS waiting,
              count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts) AS failed,
              coalesce(extract(epoch FROM now() - min(run_at)
                FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now())), 0)::float8 AS oldest
            FROM (SELECT * FROM graphile_worker.jobs ORDER BY run_at LIMIT ${mostCounted}) AS jobs
            GROUP BY task_identifier`,
        );
        return rows.map((row): [string, WaitingRow] => [String(cell), row]);
      }),
    );
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }
}
