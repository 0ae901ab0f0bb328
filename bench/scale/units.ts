import { readFileSync } from 'node:fs';

/** Microseconds of CPU that one request takes of each, and what came with it. */
export interface CallCost {
  readonly node: number;
  readonly database: number;
  readonly redis: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  /** How many requests shared a statement; 1 where none did. */
  readonly members: number;
  /** Bytes of WAL. */
  readonly wal: number;
}

export interface Call {
  /** 64 requests at a time. */
  readonly together: CallCost;
  /** One after the other. */
  readonly alone: CallCost;
}

export const callNames = [
  'read',
  'read by an app user',
  'newest 20',
  'filtered list',
  'create',
  'create with key',
  'PATCH',
  'DELETE',
  'login',
  'mix',
] as const;
export type CallName = (typeof callNames)[number];

/** What one of each costs, as `npm run bench:units` has measured it. */
export interface Units {
  readonly date: string;
  readonly machine: { readonly cores: number; readonly memoryGb: number; readonly processor: string };
  readonly versions: { readonly node: string; readonly postgres: string; readonly redis: string };
  /** Bytes in PostgreSQL, with the keys and indexes that each has anyway. */
  readonly disk: {
    readonly document: number;
    readonly sortIndex: number;
    readonly searchIndex: number;
    readonly project: number;
    readonly user: number;
    readonly session: number;
    readonly file: number;
    readonly idempotencyKey: number;
  };
  readonly calls: Readonly<Record<CallName, Call>>;
  /** The mean time of the statement of a lone read, as the node sees it. */
  readonly statementMs: number;
  readonly feed: {
    /** Bytes that Redis keeps of a change that someone follows. */
    readonly createBytes: number;
    readonly patchBytes: number;
    /** Microseconds of CPU for each commit, of the process that reads the log, and of Redis. */
    readonly node: number;
    readonly redis: number;
  };
  /** MB of a process: idle with one cell, and for each further one. */
  readonly memory: { readonly idle: number; readonly perCell: number };
  /** MB of a process that was busy for minutes. */
  readonly busyMb: number;
  /** Of a process that nobody calls, to each cell: of one that has leases, and of any other. */
  readonly idle: { readonly withLeases: Idle; readonly other: Idle };
}

interface Idle {
  readonly connections: number;
  readonly transactions: number;
}

export const unitsFile = new URL('../units.json', import.meta.url);

export function readUnits(): Units {
  return JSON.parse(readFileSync(unitsFile, 'utf8')) as Units;
}
