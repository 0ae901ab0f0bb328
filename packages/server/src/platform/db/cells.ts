import { Client, type Pool } from 'pg';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import type { Log } from '../log.ts';
import { createPool, type PoolOptions } from './pool.ts';
import { ProjectDb, type ProjectLocation } from './project-db.ts';
import { SharedStatements } from './shared-statements.ts';

/** For statements that calls share: one of each kind runs at a time. */
const sharedConnections = 6;
/** For what caches read, of one project and of all; and for what belongs to no project, such as the change feed. */
const lookupConnections = { project: 2, projects: 4, others: 2 };
/** Calls of one project that wait for a database connection. @limit too_many_queries */
const mostWaiting = 1000;

/** The PostgreSQL clusters that hold project data, by number. */
export class Cells {
  readonly #urls: ReadonlyMap<number, string>;
  readonly #pools: ReadonlyMap<number, Pool>;
  readonly #lookupPools: ReadonlyMap<number, Pool>;
  readonly #scanPools: ReadonlyMap<number, Pool>;
  readonly #sharedPools: ReadonlyMap<number, Pool>;
  readonly #shared: ReadonlyMap<number, SharedStatements>;
  readonly #turns: ReadonlyMap<number, FairSemaphore>;
  readonly #lookupTurns: ReadonlyMap<number, FairSemaphore>;
  /** Connections to each cell for reads that may take long. */
  readonly scanConnections: number;

  constructor(
    urls: ReadonlyMap<number, string>,
    options: Pick<PoolOptions, 'size' | 'statementTimeoutMs' | 'connectTimeoutMs'> & {
      queryTimeoutMs?: number;
    },
    log: Log,
  ) {
    const { statementTimeoutMs, connectTimeoutMs } = options;
    const common = { statementTimeoutMs, ...(connectTimeoutMs !== undefined && { connectTimeoutMs }) };
    const open = (size: number, other: Partial<PoolOptions> = {}) =>
      new Map(
        Array.from(urls, ([number, connectionString]) => [
          number,
          createPool({ ...common, connectionString, size, ...other }, log),
        ]),
      );
    this.#urls = urls;
    this.scanConnections = Math.ceil(options.size / 2);
    this.#pools = open(options.size);
    const takingTurns = (places: number, share: number) =>
      new Map(Array.from(urls.keys(), (number) => [number, new FairSemaphore(places, share, mostWaiting)]));
    this.#turns = takingTurns(options.size, Math.ceil(options.size * 0.7));
    const { project, projects, others } = lookupConnections;
    this.#lookupTurns = takingTurns(projects, project);
    this.#lookupPools = open(projects + others);
    this.#scanPools = open(
      this.scanConnections,
      options.queryTimeoutMs === undefined ? {} : { statementTimeoutMs: options.queryTimeoutMs },
    );
    this.#sharedPools = open(sharedConnections, { plansOnce: true });
    this.#shared = new Map(
      Array.from(this.#sharedPools, ([number, pool]) => [number, new SharedStatements(pool)]),
    );
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
    return new ProjectDb(this.lookupPool(project.cell), project.id, { turns });
  }

  /** The door to one project's data for reads that may take long: see `Scans`. */
  forScans(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.#get(this.#scanPools, project.cell), project.id);
  }

  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** For what belongs to the cell and not to a project: migrations, sweeps, health. */
  pool(number: number): Pool {
    return this.#get(this.#pools, number);
  }

  /**
   * Does work on a connection of its own, without a time limit. What it set or locked ends with the connection. A
   * statement that is running when the signal comes is cancelled.
   */
  async session<Result>(
    number: number,
    signal: AbortSignal,
    work: (connection: Client) => Promise<Result>,
  ): Promise<Result> {
    const connection = new Client({
      connectionString: this.#urls.get(number),
      application_name: 'plinth session',
      keepAlive: true,
    });
    connection.on('error', () => {});
    await connection.connect();
    const cancel = () => void this.#cancel(number, connection);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await work(connection);
    } finally {
      signal.removeEventListener('abort', cancel);
      await connection.end();
    }
  }

  async #cancel(number: number, connection: Client): Promise<void> {
    const { processID } = connection as Client & { processID: number };
    // If the database cannot be reached the statement has ended anyway.
    await this.pool(number)
      .query('SELECT pg_cancel_backend($1)', [processID])
      .catch(() => {});
  }

  /** The door to one project's data. */
  forProject(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.pool(project.cell), project.id, {
      shared: this.#shared.get(project.cell),
      turns: this.#turns.get(project.cell),
    });
  }

  async close(): Promise<void> {
    const pools = [this.#pools, this.#lookupPools, this.#scanPools, this.#sharedPools].flatMap((open) => [
      ...open.values(),
    ]);
    await Promise.all(pools.map((pool) => pool.end()));
  }

  #get(pools: ReadonlyMap<number, Pool>, number: number): Pool {
    const pool = pools.get(number);
    if (!pool) throw new Error(`Cell ${number} is not configured on this node (CELL_DATABASE_URLS).`);
    return pool;
  }
}
