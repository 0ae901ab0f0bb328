import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import { ClockWatch } from '../platform/clock/clock-watch.ts';
import { type Config, parseCells, parsePooledCells } from '../platform/config/config.ts';
import { createCounter } from '../platform/counters/create-counter.ts';
import type { WindowCounter } from '../platform/counters/window-counter.ts';
import { openVault, type Vault } from '../platform/crypto/vault.ts';
import { CellSizes } from '../platform/db/cell-sizes.ts';
import { Cells } from '../platform/db/cells.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { DatabaseMetrics } from '../platform/db/database-metrics.ts';
import { Scans } from '../platform/db/scans.ts';
import type { Probe } from '../platform/http/health.ts';
import { CacheUse } from '../platform/invalidation/cache-use.ts';
import { ControlInvalidations } from '../platform/invalidation/control-invalidations.ts';
import { InvalidationListener } from '../platform/invalidation/invalidation-listener.ts';
import { type Lease, ownLease } from '../platform/leases/lease.ts';
import type { Log } from '../platform/log.ts';
import { Registry } from '../platform/metrics/registry.ts';
import { Outbound } from '../platform/outbound/outbound.ts';
import { openRealtime, type RealtimeEngines } from './realtime-engines.ts';

type LeasedRole = 'relay' | 'jobs' | 'schedules' | 'deliveries' | 'housekeeping';

/** What the features of a node stand on. Nothing connects before `start`. */
export interface Engines {
  readonly cells: Cells;
  /** What operators watch. */
  readonly metrics: Registry;
  readonly databaseMetrics: DatabaseMetrics;
  /** The control schema, for what caches read. */
  readonly lookups: ControlDb;
  readonly control: ControlDb;
  readonly listeners: ReadonlyMap<number, InvalidationListener>;
  /** Hears of invalidations in the control schema. */
  readonly controlListener: ControlInvalidations;
  readonly cellSizes: CellSizes;
  readonly scans: Scans;
  readonly counter: WindowCounter;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Calls to what whoever runs the deployment has named, wherever it is. */
  readonly ownOutbound: Outbound;
  readonly blobs: BlobStore;
  readonly realtime: RealtimeEngines;
  readonly probes: readonly Probe[];
  readonly clocks: ClockWatch;
  /** Work in a cell that not every process has to do. */
  readonly leaseOf: (role: LeasedRole, cell: number) => Lease;
  /** Resolves when the node has heard of everything that others have committed so far, in one cell or in all. */
  caughtUp(cell?: number): Promise<boolean>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function openEngines(config: Config, log: Log): Promise<Engines> {
  const metrics = new Registry();
  const databaseMetrics = new DatabaseMetrics(metrics);
  const cells = openCells(config, databaseMetrics, log);
  const cacheUse = new CacheUse(metrics);
  const listeners = new Map(
    Array.from(cells.servers, ([cell, server]) => [cell, new InvalidationListener(server, log, cacheUse)]),
  );
  const first = listeners.get(1);
  if (!first) throw new Error('There is no cell 1, which control is in.');
  const controlListener = new ControlInvalidations(first);
  const cellSizes = new CellSizes(cells, { most: config.CELL_MAX_BYTES, log });
  const counter = createCounter(config.REDIS_URL, log);
  const outbound = new Outbound({ allowed: config.OUTBOUND_ALLOW });
  const ownOutbound = new Outbound({ allowed: '0.0.0.0/0, ::/0' });
  const blobs = await openBlobStore(config);
  const leaseOf = (role: LeasedRole, cell: number) => listeners.get(cell)?.leases.want(role) ?? ownLease;
  const realtime = openRealtime(config, {
    cells,
    leaseOf: (cell) => leaseOf('relay', cell),
    counter,
    metrics,
    log,
  });
  for (const [cell, listener] of listeners) listener.onGap(() => realtime.reconnected(cell));
  const clocks = new ClockWatch(
    new Map([
      ...Array.from(listeners, ([cell, listener]) => [`cell ${cell}`, () => listener.clock] as const),
      ['redis', () => counter.clock] as const,
    ]),
    log,
  );
  cellSizes.addMetrics(metrics);
  clocks.addMetrics(metrics);
  addOwnMetrics(metrics, { listeners, counter });
  return {
    cells,
    metrics,
    databaseMetrics,
    lookups: new ControlDb(cells.lookupPool(1), { isReading: true }),
    control: new ControlDb(cells.pool(1)),
    listeners,
    controlListener,
    cellSizes,
    scans: new Scans(cells, config.QUERY_TIMEOUT_MS, databaseMetrics),
    counter,
    vault: openVault(config),
    outbound,
    ownOutbound,
    blobs,
    realtime,
    probes: [
      ...cells.numbers.map((cell) => cellProbe(cells, cell, cellSizes)),
      ...realtime.probes,
      ...storeProbes(counter, blobs),
    ],
    clocks,
    leaseOf,
    async caughtUp(cell) {
      const heard = cell === undefined ? listeners.values() : [listeners.get(cell)];
      const all = await Promise.all(Array.from(heard, async (listener) => listener?.caughtUp()));
      return all.every((hasHeard) => hasHeard !== false);
    },
    async start() {
      // Without control there is no service; a further cell that is away is waited for while the others are served.
      await Promise.all(Array.from(listeners, ([cell, listener]) => listener.start(cell === 1)));
      await counter.connect();
      await cellSizes.start();
      clocks.start();
    },
    async stop() {
      cellSizes.stop();
      clocks.stop();
      await Promise.all(Array.from(listeners.values(), (listener) => listener.close()));
      await counter.close();
      await blobs.close();
      await outbound.close();
      await ownOutbound.close();
      await cells.close();
    },
  };
}

function openCells(config: Config, metrics: DatabaseMetrics, log: Log): Cells {
  const pools = {
    size: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    queryTimeoutMs: config.QUERY_TIMEOUT_MS,
    metrics,
    pooled: {
      urls: parsePooledCells(config),
      keepsStatements: config.POOLER_KEEPS_STATEMENTS === 'true',
    },
  };
  return new Cells(parseCells(config), pools, log);
}

function addOwnMetrics(
  metrics: Registry,
  { listeners, counter }: Pick<Engines, 'listeners' | 'counter'>,
): void {
  metrics.gauge({
    name: 'plinth_listener_current',
    help: '1 while invalidations of a cell are received; 0 if caches of the cell are bypassed.',
    labels: ['cell'],
    read: () => Array.from(listeners, ([cell, { isCurrent }]) => [String(cell), Number(isCurrent)] as const),
  });
  metrics.gauge({
    name: 'plinth_counting_processes',
    help: 'Processes that count rate limits together, as last seen by this one.',
    scope: 'service',
    read: () => counter.processes ?? 1,
  });
}

function cellProbe(cells: Cells, cell: number, sizes: CellSizes): Probe {
  return {
    name: `cell ${cell}`,
    isVital: cell === 1,
    check: () => cells.pool(cell).query('SELECT 1'),
    isFull: () => sizes.isFull(cell),
  };
}

function storeProbes(counter: WindowCounter, blobs: BlobStore): Probe[] {
  return [
    {
      name: 'counters',
      isVital: false,
      check: () => counter.check(),
      isFull: () => counter.isFull ?? false,
    },
    { name: 'files', isVital: false, check: () => blobs.check() },
  ];
}
