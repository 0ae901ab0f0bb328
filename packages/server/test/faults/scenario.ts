import type { Cluster } from './cluster.ts';
import type { Outcome } from './conduct.ts';

/** What scenarios share: the cluster takes a while to start, so there is one. */
export interface Rig {
  /** In memory, and gone with the run. */
  readonly folder: string;
  readonly cluster: () => Promise<Cluster>;
}

/** A fault with a name, and what came of it. */
export interface Scenario {
  readonly name: string;
  /** Why it cannot be run here. */
  readonly isMissing?: () => string | undefined;
  readonly run: (rig: Rig) => Promise<Outcome>;
}
