import cluster from 'node:cluster';
import { changesOf, publications, readRow } from '../features/data/changes/index.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { MemoryBus } from '../platform/bus/memory-bus.ts';
import { RedisBus } from '../platform/bus/redis-bus.ts';
import { type ChangeStream, defaultFeedBytes } from '../platform/change-feed/change-stream.ts';
import { MemoryStream } from '../platform/change-feed/memory-stream.ts';
import { RedisStream } from '../platform/change-feed/redis-stream.ts';
import { Relay } from '../platform/change-feed/relay.ts';
import { findReplicationSlot, type ReplicationSlot } from '../platform/change-feed/slot.ts';
import { SingleFlight } from '../platform/concurrency/single-flight.ts';
import type { Config } from '../platform/config/config.ts';
import type { WindowCounter } from '../platform/counters/window-counter.ts';
import type { Cells } from '../platform/db/cells.ts';
import { cellUnknown } from '../platform/db/errors.ts';
import type { Probe } from '../platform/http/health.ts';
import { type Lease, ownLease } from '../platform/leases/lease.ts';
import type { Log } from '../platform/log.ts';
import type { Registry } from '../platform/metrics/registry.ts';

/** Further behind than this, something is wrong. Without Redis, 256 MB are kept on purpose. */
const mostLag = 1_073_741_824;

export interface RealtimeEngines {
  readonly bus: Bus;
  /** Undefined where this process cannot hear what others read. */
  readonly streamOf: ((cell: number) => ChangeStream) | undefined;
  readonly wantChanges: (cell: number) => void;
  /** The connection to a cell was lost, and there is another: perhaps to a server that took over. */
  readonly reconnected: (cell: number) => void;
  /** Why changes of a cell could not be read, if they could not. */
  readonly failureOf: (cell: number) => unknown;
  /** One for the feed of each cell. */
  readonly probes: readonly Probe[];
  start(): void;
  stop(): Promise<void>;
}

interface CellEngines {
  readonly stream: ChangeStream;
  readonly relay: Relay;
}

interface RealtimeNeeds {
  readonly cells: Cells;
  readonly leaseOf: (cell: number) => Lease;
  readonly counter: Pick<WindowCounter, 'check'>;
  readonly metrics: Registry;
  readonly log: Log;
}

/** What carries changes and messages between nodes: Redis if there is one, else this process alone. */
export function openRealtime(
  config: Config,
  { cells, leaseOf, counter, metrics, log }: RealtimeNeeds,
): RealtimeEngines {
  const redisUrl = config.REDIS_URL;
  const epochs = metrics.counter({
    name: 'plinth_change_feed_epochs_total',
    help: 'How often the change feed of a cell started over, so that live subscriptions had to read again.',
    labels: ['cell'],
  });
  const commits = metrics.counter({
    name: 'plinth_change_feed_commits_total',
    help: 'Commits written to the change feed of a cell.',
    labels: ['cell'],
  });
  const bus = redisUrl === undefined ? new MemoryBus(log) : new RedisBus(redisUrl, log);
  const shared =
    redisUrl === undefined
      ? undefined
      : new RedisStream(redisUrl, config.FEED_MAX_BYTES ?? defaultFeedBytes.redis, log);
  // Several processes without Redis: only one could read, and the others would never hear of it.
  const canHear = shared !== undefined || !cluster.isWorker;
  const engines = new Map(
    Array.from(cells.servers, ([cell, server]): [number, CellEngines] => {
      const stream = shared ?? new MemoryStream(config.FEED_MAX_BYTES ?? defaultFeedBytes.memory);
      const relay = new Relay({
        pool: cells.lookupPool(cell),
        session: (signal, work) => cells.session(cell, signal, work),
        server,
        // A process that never reads takes no place from those that do.
        lease: canHear ? leaseOf(cell) : ownLease,
        stream,
        publications,
        readRow,
        changesOf,
        onEpoch: () => epochs.add(1, String(cell)),
        onCommits: (count) => commits.add(count, String(cell)),
        log,
      });
      return [cell, { stream, relay }];
    }),
  );
  addFeedGauges(metrics, cells);
  metrics.gauge({
    name: 'plinth_change_feed_lag_seconds',
    help: 'Age of the oldest commit of a cell that has been read from the log and is not in the change feed yet.',
    labels: ['cell'],
    scope: 'service',
    read: () => Array.from(engines, ([cell, { relay }]) => [String(cell), relay.lagMs / 1000] as const),
  });
  const streamOf = (cell: number) => {
    const stream = engines.get(cell)?.stream;
    if (!stream) throw cellUnknown();
    return stream;
  };
  return {
    bus,
    streamOf: canHear ? streamOf : undefined,
    wantChanges: (cell) => engines.get(cell)?.relay.want(),
    reconnected: (cell) => engines.get(cell)?.relay.lookAgain(),
    failureOf: (cell) => engines.get(cell)?.relay.failure,
    probes: cells.numbers.map((cell) => feedProbe(cells, cell, counter)),
    start() {
      if (canHear) for (const { relay } of engines.values()) relay.start();
    },
    async stop() {
      await Promise.all(Array.from(engines.values(), ({ relay }) => relay.stop()));
      const streams = new Set(Array.from(engines.values(), ({ stream }) => stream));
      for (const stream of streams) await stream.close();
      await bus.close();
    },
  };
}

/** Is the feed read, if somebody wants it, and not far behind? It passes through Redis, where the counters are too. */
function feedProbe(cells: Cells, cell: number, counter: Pick<WindowCounter, 'check'>): Probe {
  return {
    name: `changes of cell ${cell}`,
    isVital: false,
    async check() {
      await counter.check();
      const { isLost, confirmed, isHeld, lagBytes } = await findReplicationSlot(cells.lookupPool(cell));
      if (isLost || (confirmed !== undefined && !isHeld) || lagBytes > mostLag)
        throw new Error(`The change feed of cell ${cell} is behind, or nobody reads it.`);
    },
  };
}

/** What PostgreSQL says of the slots: asked once for both. */
function addFeedGauges(metrics: Registry, cells: Cells): void {
  const shared = { labels: ['cell'], scope: 'service' } as const;
  const slots = new SingleFlight<ReplicationSlot>();
  const byCell = async (value: (slot: ReplicationSlot) => number) => {
    const found = await Promise.allSettled(
      cells.numbers.map(async (cell) => {
        const slot = await slots.run(String(cell), () => findReplicationSlot(cells.lookupPool(cell)));
        return [String(cell), value(slot)] as const;
      }),
    );
    return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  };
  metrics.gauge({
    name: 'plinth_change_feed_lag_bytes',
    help: 'Bytes of the PostgreSQL WAL that the change feed of a cell has yet to read or retains.',
    ...shared,
    read: () => byCell(({ lagBytes }) => lagBytes),
  });
  metrics.gauge({
    name: 'plinth_change_feed_held',
    help: '1 if a process reads the change feed of a cell, or it is not needed; 0 if it is needed and no process reads it.',
    ...shared,
    read: () => byCell(({ exists, isHeld }) => Number(isHeld || !exists)),
  });
}
