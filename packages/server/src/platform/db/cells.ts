import type { Client, Pool } from 'pg';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import type { Log } from '../log.ts';
import { connectionNeeds, scanConnections } from './connection-needs.ts';
import type { DatabaseMetrics, PoolName } from './database-metrics.ts';
import { DatabaseServer } from './database-server.ts';
import { cellUnknown } from './errors.ts';
import { createPool, type PoolOptions } from './pool.ts';
import { ProjectDb, type ProjectLocation } from './project-db.ts';
import { withSession } from './session.ts';
import { SharedStatements } from './shared-statements.ts';

/** Requests of one project waiting for a database connection. @limit too_many_queries */
const mostWaiting = 1000;
/** How often an operator is told of a cell that this node does not know. */
const tellAgainMs = 60_000;

/** The same databases through poolers in transaction mode, for those that have one. */
interface PooledAddresses {
  readonly urls: ReadonlyMap<number, string>;
  readonly keepsStatements: boolean;
}

/** The PostgreSQL clusters that hold project data, by number. */
export class Cells {
  /** The databases themselves: where what needs a session of its own goes. */
  readonly servers: ReadonlyMap<number, DatabaseServer>;
  /** Where calls go: to a pooler before the database, if there is one. */
  readonly #callServers: ReadonlyMap<number, DatabaseServer>;
  readonly #pools: ReadonlyMap<number, Pool>;
  readonly #lookupPools: ReadonlyMap<number, Pool>;
  readonly #scanPools: ReadonlyMap<number, Pool>;
  readonly #sharedPools: ReadonlyMap<number, Pool>;
  readonly #shared: ReadonlyMap<number, SharedStatements>;
  readonly #turns: ReadonlyMap<number, FairSemaphore>;
  readonly #lookupTurns: ReadonlyMap<number, FairSemaphore>;
  readonly #log: Log;
  readonly #toldUnknown = new Map<number, number>();
  /** Connections to each cell for reads that may take long. */
  readonly scanConnections: number;

  constructor(
    urls: ReadonlyMap<number, string>,
    options: Pick<PoolOptions, 'size' | 'statementTimeoutMs'> & {
      queryTimeoutMs?: number;
      connectTimeoutMs?: number;
      pooled?: PooledAddresses;
      metrics?: DatabaseMetrics;
    },
    log: Log,
  ) {
    this.#log = log;
    const { statementTimeoutMs, connectTimeoutMs } = options;
    this.servers = new Map(
      Array.from(urls, ([number, url]) => [number, new DatabaseServer(url, connectTimeoutMs)]),
    );
    const { pooled, metrics } = options;
    this.#callServers = new Map(
      Array.from(this.servers, ([number, server]) => {
        const url = pooled?.urls.get(number);
        return [number, url === undefined ? server : new DatabaseServer(url, connectTimeoutMs)];
      }),
    );
    const open = (name: PoolName, size: number, other: Partial<PoolOptions> = {}) =>
      new Map(
        Array.from(this.#callServers, ([number, server]) => {
          const pooler = pooled?.urls.has(number) ? pooled : undefined;
          const watch = metrics && { metrics, cell: String(number), name };
          return [number, createPool(server, { statementTimeoutMs, size, pooler, watch, ...other }, log)];
        }),
      );
    this.scanConnections = scanConnections(options.size);
    this.#pools = open('calls', options.size);
    const takingTurns = (places: number, share: number) =>
      new Map(Array.from(urls.keys(), (number) => [number, new FairSemaphore(places, share, mostWaiting)]));
    this.#turns = takingTurns(options.size, Math.ceil(options.size * 0.7));
    const { project, projects, others } = connectionNeeds.lookups;
    this.#lookupTurns = takingTurns(projects, project);
    this.#lookupPools = open('lookups', projects + others);
    this.#scanPools = open('scans', this.scanConnections, {
      statementTimeoutMs: options.queryTimeoutMs ?? statementTimeoutMs,
      isReadOnly: true,
    });
    this.#sharedPools = open('shared', connectionNeeds.shared, { plansOnce: true });
    this.#shared = new Map(
      Array.from(this.#sharedPools, ([number, pool]) => [number, new SharedStatements(pool, metrics)]),
    );
    if (metrics) this.#showTo(metrics);
  }

  #showTo(metrics: DatabaseMetrics): void {
    const shown: [PoolName, ReadonlyMap<number, Pool>, ReadonlyMap<number, FairSemaphore>?][] = [
      ['calls', this.#pools, this.#turns],
      ['lookups', this.#lookupPools, this.#lookupTurns],
      ['scans', this.#scanPools],
      ['shared', this.#sharedPools],
    ];
    for (const [name, pools, turns] of shown)
      for (const [cell, pool] of pools) metrics.watch({ cell, name, pool, turns: turns?.get(cell) });
  }

  /**
   * Connections for what caches read. A call inside a transaction may need a look-up. If it used the same connections,
   * calls that hold all of them could wait for one another.
   */
  lookupPool(number: number): Pool {
    return this.#get(this.#lookupPools, number);
  }

  /** The door to one project's data for caches. */
  lookups(project: ProjectLocation): ProjectDb {
    const turns = this.#lookupTurns.get(project.cell);
    return new ProjectDb(this.lookupPool(project.cell), project.id, {
      turns,
      server: this.callServer(project.cell),
      isReading: true,
    });
  }

  /** The door to one project's data for reads that may take long: see `Scans`. */
  forScans(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.#get(this.#scanPools, project.cell), project.id, { isReading: true });
  }

  /** Where the connections lead that calls use. */
  callServer(number: number): DatabaseServer {
    return this.#get(this.#callServers, number);
  }

  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** For what belongs to the cell and not to a project: migrations, sweeps, health. */
  pool(number: number): Pool {
    return this.#get(this.#pools, number);
  }

  /** Does work on a connection of its own, without a time limit: see `withSession`. */
  session<Result>(
    number: number,
    signal: AbortSignal,
    work: (connection: Client) => Promise<Result>,
  ): Promise<Result> {
    return withSession({ server: this.#get(this.servers, number), pool: this.pool(number), signal }, work);
  }

  /** The door to one project's data. */
  forProject(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.pool(project.cell), project.id, {
      shared: this.#shared.get(project.cell),
      turns: this.#turns.get(project.cell),
      server: this.callServer(project.cell),
    });
  }

  async close(): Promise<void> {
    const pools = [this.#pools, this.#lookupPools, this.#scanPools, this.#sharedPools].flatMap((open) => [
      ...open.values(),
    ]);
    await Promise.all(pools.map((pool) => pool.end()));
  }

  #get<Of>(each: ReadonlyMap<number, Of>, number: number): Of {
    const one = each.get(number);
    if (!one) throw this.#unknown(number);
    return one;
  }

  /** Control knows of a cell that this node was not told of. Its projects wait until it is; the others are served. */
  #unknown(number: number): Error {
    const now = performance.now();
    if (now - (this.#toldUnknown.get(number) ?? -tellAgainMs) >= tellAgainMs) {
      this.#toldUnknown.set(number, now);
      this.#log.error(
        { cell: number },
        `a project is in cell ${number}, which this node does not know: add it to CELL_DATABASE_URLS and restart the node`,
      );
    }
    return cellUnknown();
  }
}
