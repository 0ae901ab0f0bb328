import { knownProjects } from '../../packages/server/src/features/control/projects/project-directory.ts';
import { defaultFeedBytes, keptMs } from '../../packages/server/src/platform/change-feed/change-stream.ts';
import { connectionsToCell } from '../../packages/server/src/platform/db/connection-needs.ts';
import { mostMembers } from '../../packages/server/src/platform/db/shared-statements.ts';
import { leaseHolders } from '../../packages/server/src/platform/leases/leases.ts';
import { type Stream, waitForAny, waitForOne } from './queueing.ts';
import type { CallName, Units } from './units.ts';
import { type Equipment, sharesOf, type Workload, writes } from './workload.ts';

/** What a workload takes, with the service as it is. */
export interface Plan {
  readonly workload: Workload;
  readonly equipment: Equipment;
  readonly processes: number;
  readonly cells: number;
  /** Why there are not fewer cells. */
  readonly cellsFor: string;
  /** How many point reads share a statement on average. */
  readonly readGroup: number;
  readonly nodeCores: number;
  readonly databaseCores: number;
  /** Of PostgreSQL, if every request found others to share its statement with, as on a machine with one process. */
  readonly sharedDatabaseCores: number;
  readonly redisCores: number;
  readonly redisBytes: number;
  readonly diskBytes: number;
  readonly controlBytes: number;
  /** A second. */
  readonly walBytes: number;
  readonly commits: number;
  /** To each cell. */
  readonly connections: { readonly idle: number; readonly most: number; readonly withPooler: number };
  readonly idleTransactions: number;
  /** The share of requests whose project the process does not know, and looks up in control. */
  readonly misses: number;
  readonly lookupCores: number;
  readonly processMb: number;
  /** Mean, in milliseconds, for a free process, core or Redis. */
  readonly waitMs: { readonly node: number; readonly database: number; readonly redis: number };
  /** How busy each of them is. */
  readonly busy: { readonly node: number; readonly database: number };
}

const million = 1_000_000;
/** Processes and cells depend on each other: by so many rounds they have settled. */
const rounds = 30;
/** A request that finds company shares its statement; lists are shared only by those who ask for the same. */
const shareable: ReadonlySet<CallName> = new Set(['read', ...writes]);

export function planFor(workload: Workload, equipment: Equipment, units: Units): Plan {
  const { requests } = workload;
  const { load, cellCores } = equipment;
  const shares = sharesOf(workload);
  const costs = (group: (kind: CallName) => number) => costOfRequest(workload, units, group);
  const together = costs((kind) => units.calls[kind].together.members);
  const nodeCores = (requests * together.node) / million;
  const processes = Math.max(1, Math.ceil(nodeCores / load));
  const diskBytes = workload.projects * bytesOfProject(workload, units);
  const changes = requests * writes.reduce((sum, kind) => sum + (shares.get(kind) ?? 0), 0);
  const walBytes = requests * together.wal;
  const fixed = {
    disk: diskBytes / (equipment.cellDiskGb * 1e9 * load),
    WAL: walBytes / (equipment.cellWalMb * 1e6),
    // One process reads all changes of a cell.
    'change feed': (changes * units.feed.node) / million / load,
  };
  let cells = 1;
  let cellsFor = 'disk';
  let database = together.database;
  let readGroup = 1;
  for (let round = 0; round < rounds; round += 1) {
    const groupOf = (kind: CallName) =>
      groupSize((requests * (shares.get(kind) ?? 0)) / processes / cells, units.statementMs);
    readGroup = groupOf('read');
    ({ database } = costs(groupOf));
    const needs = { ...fixed, CPU: (requests * database) / million / (cellCores * load) };
    const [largest = ['disk', 1]] = Object.entries(needs).toSorted(([, one], [, other]) => other - one);
    cellsFor = largest[0];
    // Never fewer again: a cell less would share more, and seem enough.
    cells = Math.max(cells, Math.ceil(largest[1]));
  }
  const databaseCores = (requests * database) / million;
  const redisCores = (requests * together.redis + changes * workload.followed * units.feed.redis) / million;
  const keptChanges = changes * workload.followed * (keptMs / 1000);
  const misses = Math.max(0, 1 - knownProjects / Math.max(1, workload.projects * workload.active));
  const deployed = { processes, leaseHolders, poolSize: equipment.poolSize };
  const holders = Math.min(processes, leaseHolders);
  const idle = (of: 'connections' | 'transactions') =>
    holders * units.idle.withLeases[of] + (processes - holders) * units.idle.other[of];
  return {
    workload,
    equipment,
    processes,
    cells,
    cellsFor,
    readGroup,
    nodeCores,
    databaseCores,
    sharedDatabaseCores: (requests * together.database) / million,
    redisCores,
    redisBytes: Math.min(keptChanges * bytesOfChange(units), cells * defaultFeedBytes.redis),
    diskBytes,
    controlBytes: workload.projects * units.disk.project,
    walBytes,
    commits: changes,
    connections: {
      idle: idle('connections'),
      most: connectionsToCell({ ...deployed, isPooled: false }),
      withPooler: connectionsToCell({ ...deployed, isPooled: true }),
    },
    idleTransactions: idle('transactions'),
    misses,
    // A look-up is a read of one row by its key, and is not shared.
    lookupCores: (requests * misses * units.calls.read.alone.database) / million,
    processMb: units.busyMb + units.memory.perCell * (cells - 1),
    waitMs: {
      node: 1000 * waitForOne(streamsOf(workload, units, processes)),
      database: 1000 * waitForAny({ rate: requests / cells, seconds: database / million }, cellCores),
      redis: 1000 * waitForOne([{ rate: requests, seconds: together.redis / million }]),
    },
    busy: { node: nodeCores / processes, database: databaseCores / cells / cellCores },
  };
}

/**
 * How many requests of a kind share a statement: the one that starts it, and all that come while it is on its way. On a
 * process that is nearly saturated there are more.
 */
export function groupSize(perSecond: number, statementMs: number): number {
  return Math.min(mostMembers, 1 + (perSecond * statementMs) / 1000);
}

/**
 * What a call costs PostgreSQL if so many share a statement: a part that is paid once for all, and a part for each. Both
 * follow from the two figures that were measured, alone and together.
 */
export function databaseCost(units: Units, kind: CallName, group: number): number {
  const { alone, together } = units.calls[kind];
  if (!shareable.has(kind) || together.members <= 1) return alone.database;
  const once = Math.max(0, (alone.database - together.database) / (1 - 1 / together.members));
  return alone.database - once * (1 - 1 / Math.max(1, group));
}

interface RequestCost {
  readonly node: number;
  readonly database: number;
  readonly redis: number;
  readonly wal: number;
}

/** What the average request costs, in microseconds, and bytes of WAL. */
function costOfRequest(workload: Workload, units: Units, group: (kind: CallName) => number): RequestCost {
  const { read, 'read by an app user': byUser } = units.calls;
  const sum = { node: 0, database: 0, redis: byUser.together.redis, wal: 0 };
  for (const [kind, share] of sharesOf(workload)) {
    sum.node += share * units.calls[kind].together.node;
    sum.database += share * databaseCost(units, kind, group(kind));
    if (writes.includes(kind)) sum.wal += share * units.calls[kind].together.wal;
  }
  // Whose token it is, whether the session is still there, and what the rules say.
  const more = (of: 'node' | 'database') =>
    workload.byUsers * Math.max(0, byUser.together[of] - read.together[of]);
  return { ...sum, node: sum.node + more('node'), database: sum.database + more('database') };
}

function streamsOf(workload: Workload, units: Units, processes: number): Stream[] {
  const { read, 'read by an app user': byUser } = units.calls;
  const more = workload.byUsers * Math.max(0, byUser.together.node - read.together.node);
  return Array.from(sharesOf(workload), ([kind, share]) => ({
    rate: (workload.requests * share) / processes,
    // Passwords are hashed on other threads: the event loop only sees what any call costs.
    seconds: ((kind === 'login' ? read : units.calls[kind]).together.node + more) / million,
  }));
}

function bytesOfProject({ documents, indexes, users, files }: Workload, { disk }: Units): number {
  return (
    disk.project +
    documents * (disk.document + indexes * disk.sortIndex) +
    users * (disk.user + disk.session) +
    files * disk.file
  );
}

/** Half of the changes that are followed are creates. */
const bytesOfChange = ({ feed }: Units) => (feed.createBytes + feed.patchBytes) / 2;
