import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { createPool } from './pool.ts';
import { ProjectDb, type ProjectLocation } from './project-db.ts';

/** The PostgreSQL clusters that hold project data, by number. */
export class Cells {
  readonly #pools: ReadonlyMap<number, Pool>;

  constructor(
    urls: ReadonlyMap<number, string>,
    options: { size: number; statementTimeoutMs: number },
    log: Log,
  ) {
    this.#pools = new Map(
      Array.from(urls, ([number, connectionString]) => [
        number,
        createPool({ connectionString, ...options }, log),
      ]),
    );
  }

  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** For what belongs to the cell and not to a project: migrations, sweeps, health. */
  pool(number: number): Pool {
    const pool = this.#pools.get(number);
    if (!pool) throw new Error(`Cell ${number} is not configured on this node (CELL_DATABASE_URLS).`);
    return pool;
  }

  /** The door to one project's data. */
  forProject(project: ProjectLocation): ProjectDb {
    return new ProjectDb(this.pool(project.cell), project.id);
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#pools.values(), (pool) => pool.end()));
  }
}
