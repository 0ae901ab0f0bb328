import type { Client, Pool } from 'pg';
import type { TierLimits } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Log } from '../../../platform/log.ts';

export interface TendingDeps {
  readonly cells: Cells;
  readonly log: Log;
  /** Stops long work between two steps: another node goes on with it. */
  readonly signal: AbortSignal;
}

/** What the work on one collection needs. */
export interface Builder extends Pick<TendingDeps, 'log' | 'signal'> {
  /** Without a time limit. */
  readonly connection: Client;
  /** To watch with what happens on that connection. */
  readonly pool: Pool;
  readonly db: ProjectDb;
  /** What the project may use. */
  readonly limits: Pick<TierLimits, 'indexes' | 'ownTables'>;
}
