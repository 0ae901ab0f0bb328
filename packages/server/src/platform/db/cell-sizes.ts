import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Cells } from './cells.ts';

const everyMs = 10_000;

/**
 * Watches how large the databases of the cells are. PostgreSQL cannot tell how much of a disk is free, so the operator
 * says from which size on a cell is full.
 */
export class CellSizes {
  readonly #cells: Cells;
  readonly #most: number | undefined;
  readonly #log: Log;
  readonly #sizes = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(cells: Cells, { most, log }: { most: number | undefined; log: Log }) {
    this.#cells = cells;
    this.#most = most;
    this.#log = log;
  }

  async start(): Promise<void> {
    if (this.#most === undefined) return;
    await this.#measureAll();
    const failed = reporting(this.#log, 'the sizes of cells could not be read');
    this.#timer = setInterval(
      guarded(failed, () => this.#measureAll()),
      everyMs,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Does the cell take no more writes but deletes? */
  isFull(cell: number): boolean {
    return this.#most !== undefined && (this.#sizes.get(cell) ?? 0) >= this.#most;
  }

  addMetrics(metrics: Registry): void {
    const byCell = (value: (cell: number) => number) => () =>
      Array.from(this.#sizes.keys(), (cell) => [String(cell), value(cell)] as const);
    metrics.gauge({
      name: 'plinth_cell_bytes',
      help: 'Size of the database of a cell, if CELL_MAX_BYTES is set.',
      labels: ['cell'],
      scope: 'service',
      read: byCell((cell) => this.#sizes.get(cell) ?? 0),
    });
    metrics.gauge({
      name: 'plinth_cell_full',
      help: '1 if the cell accepts no more writes.',
      labels: ['cell'],
      scope: 'service',
      read: byCell((cell) => Number(this.isFull(cell))),
    });
  }

  async #measureAll(): Promise<void> {
    await Promise.all(this.#cells.numbers.map((cell) => this.#measure(cell)));
  }

  /** A cell that is away stays as it was: it takes nothing anyway. */
  async #measure(cell: number): Promise<void> {
    try {
      const { rows } = await this.#cells
        .lookupPool(cell)
        .query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
      const wasFull = this.isFull(cell);
      this.#sizes.set(cell, Number(rows[0]?.bytes ?? 0));
      if (this.isFull(cell) && !wasFull)
        this.#log.error({ cell, bytes: this.#sizes.get(cell) }, 'a cell is full: it accepts no more writes');
    } catch (error) {
      this.#log.warn({ err: error, cell }, 'the size of a cell could not be read');
    }
  }
}
