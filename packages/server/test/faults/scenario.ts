import type { Cluster } from './cluster.ts';
import type { Outcome } from './conduct.ts';
import type { PostgresVersion } from './debian-releases.ts';

/** What scenarios share: the cluster takes a while to start, so there is one. */
export interface Rig {
  /** In memory, and gone with the run. */
  readonly folder: string;
  readonly cluster: () => Promise<Cluster>;
}

/** A fault with a name, and what came of it. */
export interface Scenario {
  readonly name: string;
  /** Which PostgreSQL it has; one of a cluster has any that is asked for. */
  readonly postgres: PostgresVersion | 'any';
  /** Why it cannot be run here. */
  readonly isMissing?: (version: PostgresVersion) => string | undefined;
  readonly run: (rig: Rig) => Promise<Outcome>;
}
