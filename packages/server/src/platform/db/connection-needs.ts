/** What a process opens to a cell at most, beside the connections of `DATABASE_POOL_SIZE`. */
export const connectionNeeds = {
  /** For statements that calls share: one of each kind runs at a time. */
  shared: 6,
  /** For what caches read, of one project and of all; and for what belongs to no project, such as the change feed. */
  lookups: { project: 2, projects: 4, others: 2 },
  /** Hears of invalidations. */
  listener: 1,
  /** One listens, the others ask for jobs and say that they are done: what a job does has connections of its own. */
  jobs: 4,
  /** Reads the change feed. */
  feed: 1,
} as const;

/** Reads that may take long have half as many connections as calls. */
export const scanConnections = (poolSize: number) => Math.ceil(poolSize / 2);

interface Deployed {
  readonly processes: number;
  /** How many of them do the jobs of a cell at most. */
  readonly leaseHolders: number;
  readonly poolSize: number;
  /** Calls go through a pooler. */
  readonly isPooled: boolean;
}

/** How many connections all processes together may open to a cell. */
export function connectionsToCell({ processes, leaseHolders, poolSize, isPooled }: Deployed): number {
  const { shared, lookups, listener, jobs, feed } = connectionNeeds;
  const calls = poolSize + scanConnections(poolSize) + shared + lookups.projects + lookups.others;
  return processes * (listener + (isPooled ? 0 : calls)) + Math.min(processes, leaseHolders) * jobs + feed;
}
