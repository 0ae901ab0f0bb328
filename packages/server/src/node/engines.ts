import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import { type Config, parseCells } from '../platform/config/config.ts';
import { createCounter } from '../platform/counters/create-counter.ts';
import type { WindowCounter } from '../platform/counters/window-counter.ts';
import { openVault, type Vault } from '../platform/crypto/vault.ts';
import { CellSizes } from '../platform/db/cell-sizes.ts';
import { Cells } from '../platform/db/cells.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { Scans } from '../platform/db/scans.ts';
import type { Probe } from '../platform/http/health.ts';
import { InvalidationListener } from '../platform/invalidation/invalidation-listener.ts';
import type { Log } from '../platform/log.ts';
import { Outbound } from '../platform/outbound/outbound.ts';
import { openRealtime, type RealtimeEngines } from './realtime-engines.ts';

/** What the features of a node stand on. Nothing connects before `start`. */
export interface Engines {
  readonly urls: ReadonlyMap<number, string>;
  readonly cells: Cells;
  /** The control schema, for what caches read. */
  readonly lookups: ControlDb;
  readonly control: ControlDb;
  readonly listeners: ReadonlyMap<number, InvalidationListener>;
  /** Hears of invalidations in the control schema. */
  readonly controlListener: InvalidationListener;
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
  /** Resolves when the node has heard of everything that others have committed so far, in one cell or in all. */
  caughtUp(cell?: number): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function openEngines(config: Config, log: Log): Promise<Engines> {
  const urls = parseCells(config);
  const cells = openCells(config, urls, log);
  const listeners = new Map(Array.from(urls, ([cell, url]) => [cell, new InvalidationListener(url, log)]));
  const controlListener = listeners.get(1);
  if (!controlListener) throw new Error('There is no cell 1, which control is in.');
  const cellSizes = new CellSizes(cells, { most: config.CELL_MAX_BYTES, log });
  const counter = createCounter(config.REDIS_URL, log);
  const outbound = new Outbound({ allowed: config.OUTBOUND_ALLOW });
  const ownOutbound = new Outbound({ allowed: '0.0.0.0/0, ::/0' });
  const blobs = await openBlobStore(config);
  const realtime = openRealtime(config, { cells, urls, log });
  return {
    urls,
    cells,
    lookups: new ControlDb(cells.lookupPool(1)),
    control: new ControlDb(cells.pool(1)),
    listeners,
    controlListener,
    cellSizes,
    scans: new Scans(cells, config.QUERY_TIMEOUT_MS),
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
    async caughtUp(cell) {
      const heard = cell === undefined ? listeners.values() : [listeners.get(cell)];
      await Promise.all(Array.from(heard, async (listener) => listener?.caughtUp()));
    },
    async start() {
      // Without control there is no service; a further cell that is away is waited for while the others are served.
      await Promise.all(Array.from(listeners, ([cell, listener]) => listener.start(cell === 1)));
      await counter.connect();
      await cellSizes.start();
    },
    async stop() {
      cellSizes.stop();
      await Promise.all(Array.from(listeners.values(), (listener) => listener.close()));
      await counter.close();
      await blobs.close();
      await outbound.close();
      await ownOutbound.close();
      await cells.close();
    },
  };
}

function openCells(config: Config, urls: ReadonlyMap<number, string>, log: Log): Cells {
  const pools = {
    size: config.DATABASE_POOL_SIZE,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    queryTimeoutMs: config.QUERY_TIMEOUT_MS,
  };
  return new Cells(urls, pools, log);
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
    { name: 'counters', isVital: false, check: () => counter.check() },
    { name: 'files', isVital: false, check: () => blobs.check() },
  ];
}
