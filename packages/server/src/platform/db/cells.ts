import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { createPool } from './pool.ts';
import { ProjectDb, type ProjectLocation } from './project-db.ts';

/** The PostgreSQL clusters that hold project data, by number. */
export class Cells {
  readonly #pools: ReadonlyMap<number, Pool>;
  readonly #lookupPools: ReadonlyMap<number, Pool>;

  constructor(
    urls: ReadonlyMap<number, string>,
    options: { size: number; statementTimeoutMs: number },
    log: Log,
  ) {
    const open = (size: number) =>
      new Map(
        Array.from(urls, ([number, connectionString]) => [
          number,
          createPool({ connectionString, size, statementTimeoutMs: options.statementTimeoutMs }, log),
        ]),
      );
    this.#pools = open(options.size);
    this.#lookupPools = open(2);
  }

  /**
   * Connections for what caches read. A call inside a transaction may need a look-up: were they shared, calls that hold
   * all connections could wait for one another.
   */
  lookupPool(number: number): Pool {
    return this.#get(this.#lookupPools, number);
  }

  /** The door to one project's data for caches. */
  lookups(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.lookupPool(project.cell), project.id);
  }

  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** For what belongs to the cell and not to a project: migrations, sweeps, health. */
  pool(number: number): Pool {
    return this.#get(this.#pools, number);
  }

  /** The door to one project's data. */
  forProject(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.pool(project.cell), project.id);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values(), ...this.#lookupPools.values()];
    await Promise.all(pools.map((pool) => pool.end()));
  }

  #get(pools: ReadonlyMap<number, Pool>, number: number): Pool {
    const pool = pools.get(number);
    if (!pool) throw new Error(`Cell ${number} is not configured on this node (CELL_DATABASE_URLS).`);
    return pool;
  }
}
