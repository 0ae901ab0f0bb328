import type { Pool } from 'pg';
import type { Counter, Histogram } from '../metrics/instruments.ts';
import type { Registry } from '../metrics/registry.ts';

/** The connections to a cell, by what they are for. */
export type PoolName = 'calls' | 'lookups' | 'scans' | 'shared' | 'jobs';

const members = [1, 2, 4, 8, 16, 32, 64, 128, 200];
/** Names end in a number where they are given to texts that come often. */
const numbered = /\s\d+$/;

interface WatchedPool {
  readonly cell: number;
  readonly name: PoolName;
  readonly pool: Pool;
  /** Those who wait for their turn before they ask the pool. */
  readonly turns?: { readonly waiting: number } | undefined;
}

/** What operators see of the connections to the databases, and of the statements. */
export class DatabaseMetrics {
  readonly #pools = new Set<WatchedPool>();
  readonly #waits: Histogram;
  readonly #statements: Histogram;
  readonly #members: Histogram;
  readonly #lost: Counter;
  readonly #turnedAway: Counter;

  constructor(metrics: Registry) {
    metrics.gauge({
      name: 'plinth_pool_connections',
      help: 'Connections to a cell, by pool and whether they are in use.',
      labels: ['cell', 'pool', 'state'],
      scope: 'node',
      read: () =>
        this.#sum(({ pool }) => [
          ['idle', pool.idleCount],
          ['busy', pool.totalCount - pool.idleCount],
        ]),
    });
    metrics.gauge({
      name: 'plinth_pool_waiting',
      help: 'Statements and transactions currently waiting for a connection.',
      labels: ['cell', 'pool'],
      scope: 'node',
      read: () => this.#sum(({ pool, turns }) => [[undefined, pool.waitingCount + (turns?.waiting ?? 0)]]),
    });
    this.#waits = metrics.histogram({
      name: 'plinth_pool_wait_seconds',
      help: 'Time a statement or transaction waited for a connection.',
      labels: ['cell', 'pool'],
    });
    this.#statements = metrics.histogram({
      name: 'plinth_statement_seconds',
      help: 'Time PostgreSQL took to execute a statement, by name; most have none.',
      labels: ['statement'],
    });
    this.#members = metrics.histogram({
      name: 'plinth_shared_statement_members',
      help: 'How many requests shared one statement.',
      bounds: members,
    });
    this.#lost = metrics.counter({
      name: 'plinth_connections_lost_total',
      help: 'Connections to a cell that broke, or were abandoned because there was no response.',
      labels: ['cell', 'reason'],
    });
    this.#turnedAway = metrics.counter({
      name: 'plinth_scans_turned_away_total',
      help: 'List requests rejected because others in the cell used all connections reserved for lists.',
      labels: ['cell'],
    });
  }

  /** Adds the connections of a pool to what is shown; returns how to take them off again. */
  watch(watched: WatchedPool): () => void {
    this.#pools.add(watched);
    return () => this.#pools.delete(watched);
  }

  waited(ms: number, cell: string, pool: PoolName): void {
    this.#waits.observe(ms / 1000, cell, pool);
  }

  answered(ms: number, name: string | undefined): void {
    this.#statements.observe(ms / 1000, name === undefined ? 'unnamed' : name.replace(numbered, ''));
  }

  shared(members: number): void {
    this.#members.observe(members);
  }

  lost(cell: string, reason: 'broken' | 'silent'): void {
    this.#lost.add(1, cell, reason);
  }

  turnedAway(cell: number): void {
    this.#turnedAway.add(1, String(cell));
  }

  #sum(
    values: (watched: WatchedPool) => (readonly [state: string | undefined, value: number])[],
  ): (readonly [string[], number])[] {
    const sums = new Map<string, readonly [string[], number]>();
    for (const watched of this.#pools)
      for (const [state, value] of values(watched)) {
        const of = [String(watched.cell), watched.name, ...(state === undefined ? [] : [state])];
        const key = of.join(' ');
        sums.set(key, [of, value + (sums.get(key)?.[1] ?? 0)]);
      }
    return [...sums.values()];
  }
}

/** What one pool tells of itself. */
export interface PoolWatch {
  readonly metrics: DatabaseMetrics;
  readonly cell: string;
  readonly name: PoolName;
}
