import type { CallName } from './units.ts';

/** What is asked of a deployment. */
export interface Workload {
  readonly projects: number;
  /** A second. */
  readonly requests: number;
  /** The share of requests that only read. */
  readonly reads: number;
  /** The share of requests that app users make; the others are made with API keys. */
  readonly byUsers: number;
  /** The share of requests that are logins with a password. */
  readonly logins: number;
  /** The share of writes in projects with subscribers. */
  readonly followed: number;
  /** The share of projects that make requests within an hour. */
  readonly active: number;
  /** On average, of a project. */
  readonly documents: number;
  readonly indexes: number;
  readonly users: number;
  readonly files: number;
}

/** What the machines can do, and how much of it is planned for. */
export interface Equipment {
  /** The share of a core, a disk or a connection limit that is planned to be used. */
  readonly load: number;
  readonly cellCores: number;
  readonly cellDiskGb: number;
  /** MB a second that a cell writes, archives and sends to its standbys without effort. */
  readonly cellWalMb: number;
  readonly cellConnections: number;
  readonly poolSize: number;
  readonly redisGb: number;
}

export const usualWorkload: Workload = {
  projects: 1_000_000,
  requests: 1_000_000,
  reads: 0.8,
  byUsers: 0.8,
  logins: 0.001,
  followed: 0.2,
  active: 0.1,
  documents: 20_000,
  indexes: 2,
  users: 200,
  files: 200,
};

export const usualEquipment: Equipment = {
  load: 0.5,
  cellCores: 8,
  cellDiskGb: 1000,
  cellWalMb: 20,
  cellConnections: 500,
  poolSize: 10,
  redisGb: 32,
};

/** Of those that read, and of those that write. */
const readKinds = { read: 0.8, 'newest 20': 0.15, 'filtered list': 0.05 } as const;
const writeKinds = { create: 0.45, 'create with key': 0.05, PATCH: 0.4, DELETE: 0.1 } as const;

/** Which share of the requests each kind is. */
export function sharesOf({ reads, logins }: Workload): ReadonlyMap<CallName, number> {
  const rest = 1 - logins;
  const scaled = (kinds: Readonly<Partial<Record<CallName, number>>>, share: number) =>
    Object.entries(kinds).map(([name, part]) => [name as CallName, part * share * rest] as const);
  return new Map([...scaled(readKinds, reads), ...scaled(writeKinds, 1 - reads), ['login', logins] as const]);
}

export const writes: readonly CallName[] = ['create', 'create with key', 'PATCH', 'DELETE'];
