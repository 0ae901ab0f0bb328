import cluster from 'node:cluster';
import { changesOf, publications } from './features/realtime/index.ts';
import type { Bus } from './platform/bus/bus.ts';
import { MemoryBus } from './platform/bus/memory-bus.ts';
import { RedisBus } from './platform/bus/redis-bus.ts';
import type { ChangeStream } from './platform/changes/change-stream.ts';
import { MemoryStream } from './platform/changes/memory-stream.ts';
import { RedisStream } from './platform/changes/redis-stream.ts';
import { Relay } from './platform/changes/relay.ts';
import { findSlot } from './platform/changes/slot.ts';
import type { Config } from './platform/config.ts';
import type { Cells } from './platform/db/cells.ts';
import type { Probe } from './platform/http/health.ts';
import type { Gauge } from './platform/http/metrics.ts';
import type { Log } from './platform/log.ts';

/** So far behind, something is wrong: without Redis, 256 MB are kept on purpose. */
const mostLag = 1_073_741_824;

export interface RealtimeEngines {
  readonly bus: Bus;
  /** Undefined where this process cannot hear what others read. */
  readonly streamOf: ((cell: number) => ChangeStream) | undefined;
  readonly wantChanges: (cell: number) => void;
  /** Why changes of a cell could not be read, if they could not. */
  readonly failureOf: (cell: number) => unknown;
  /** Whether changes that are wanted are read, and not far behind. */
  readonly probes: readonly Probe[];
  readonly lag: Gauge;
  start(): void;
  stop(): Promise<void>;
}

/** What carries changes and words between nodes: Redis where there is one, else this process alone. */
export function openRealtime(
  config: Config,
  { cells, urls, log }: { cells: Cells; urls: ReadonlyMap<number, string>; log: Log },
): RealtimeEngines {
  const redisUrl = config.REDIS_URL;
  const bus = redisUrl === undefined ? new MemoryBus() : new RedisBus(redisUrl, log);
  const shared = redisUrl === undefined ? undefined : new RedisStream(redisUrl, log);
  const streams = new Map(cells.numbers.map((cell) => [cell, shared ?? new MemoryStream()]));
  // Several processes without Redis: only one could read, and the others would never hear of it.
  const canHear = shared !== undefined || !cluster.isWorker;
  const relays = new Map(
    cells.numbers.map((cell) => [
      cell,
      new Relay({
        pool: cells.lookupPool(cell),
        databaseUrl: urls.get(cell)!,
        stream: streams.get(cell)!,
        publications,
        fieldsOf: changesOf,
        log,
      }),
    ]),
  );
  return {
    bus,
    streamOf: canHear ? (cell) => streams.get(cell)! : undefined,
    wantChanges: (cell) => relays.get(cell)?.want(),
    failureOf: (cell) => relays.get(cell)?.failure,
    probes: cells.numbers.map((cell) => ({
      name: `changes of cell ${cell}`,
      isVital: false,
      async check() {
        const state = await findSlot(cells.lookupPool(cell));
        if (state.isLost || (state.confirmed !== undefined && !state.isHeld) || state.lagBytes > mostLag)
          throw new Error(`The change feed of cell ${cell} is behind, or nobody reads it.`);
      },
    })),
    lag: {
      name: 'plinth_change_feed_lag_bytes',
      help: 'Bytes of the log of PostgreSQL that the change feed of a cell has still to read or keeps.',
      label: 'cell',
      async read() {
        const states = cells.numbers.map(async (cell) => {
          const { lagBytes } = await findSlot(cells.lookupPool(cell));
          return [String(cell), lagBytes] as const;
        });
        return new Map(await Promise.all(states));
      },
    },
    start() {
      if (canHear) for (const relay of relays.values()) relay.start();
    },
    async stop() {
      await Promise.all([...relays.values()].map((relay) => relay.stop()));
      for (const stream of new Set(streams.values())) await stream.close();
      await bus.close();
    },
  };
}
