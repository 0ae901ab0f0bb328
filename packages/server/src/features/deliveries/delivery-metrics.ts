import type { Registry } from '../../platform/metrics/registry.ts';
import type { LongLane, Settled } from './lane-store.ts';

/** What operators call it. */
const outcomes: Readonly<Record<Settled['fate'], string>> = {
  delivered: 'delivered',
  retried: 'failed',
  dead: 'dead',
};

interface Waiting {
  readonly count: number;
  readonly oldestAt: number | undefined;
}

/** Counts what becomes of deliveries, for operators: by cell, never by project. */
export class DeliveryMetrics {
  readonly #settled = new Map(Object.values(outcomes).map((outcome) => [outcome, 0]));
  readonly #waiting = new Map<number, Waiting>();

  /** What became of some, in this process. */
  readonly noteSettled = (settled: readonly Pick<Settled, 'fate'>[]): void => {
    for (const { fate } of settled) {
      const outcome = outcomes[fate];
      this.#settled.set(outcome, (this.#settled.get(outcome) ?? 0) + 1);
    }
  };

  /** What waits in a cell, as it was just looked at. */
  noteWaiting(cell: number, lanes: readonly Pick<LongLane, 'count' | 'oldestAt'>[]): void {
    const times = lanes.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [oldestAt.getTime()]));
    const count = lanes.reduce((sum, lane) => sum + lane.count, 0);
    this.#waiting.set(cell, { count, oldestAt: times.length === 0 ? undefined : Math.min(...times) });
  }

  addMetrics(metrics: Registry): void {
    const byCell = (value: (waiting: Waiting) => number) => () =>
      Array.from(this.#waiting, ([cell, waiting]) => [String(cell), value(waiting)] as const);
    metrics.gauge({
      name: 'plinth_deliveries_settled_total',
      help: 'Attempts to deliver events to webhooks and functions.',
      labels: ['outcome'],
      type: 'counter',
      read: () => this.#settled,
    });
    metrics.gauge({
      name: 'plinth_deliveries_waiting',
      help: 'Events waiting for active webhooks and functions; updated every 15 seconds.',
      labels: ['cell'],
      scope: 'service',
      read: byCell(({ count }) => count),
    });
    metrics.gauge({
      name: 'plinth_deliveries_oldest_seconds',
      help: 'Age of the oldest waiting event that is not scheduled for later.',
      labels: ['cell'],
      scope: 'service',
      read: byCell(({ oldestAt }) =>
        oldestAt === undefined ? 0 : Math.max(0, Date.now() - oldestAt) / 1000,
      ),
    });
  }
}
