import type { Client } from 'pg';
import { raw } from '../db/sql.ts';
import { errorCode } from '../error-code.ts';
import { parseLsn } from './position.ts';

/** The log in which positions were read. In another one the same positions stand for other commits. */
export interface LogName {
  /** Of the cluster, the same on all of its servers. */
  readonly system: string;
  /** Another one begins when a server is promoted. */
  readonly timeline: number;
}

/** The log that a server writes. */
export interface ServerLog extends LogName {
  /** The timelines that it continues, and up to where each is a part of it. */
  readonly earlier: ReadonlyMap<number, bigint>;
}

/** Over a replication connection, so that it is the server that the changes come from. */
export async function identifyLog(connection: Client): Promise<ServerLog> {
  const { rows } = await connection.query<{ systemid: string; timeline: number | string }>('IDENTIFY_SYSTEM');
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL did not say which log it writes.');
  const timeline = Number(row.timeline);
  return { system: row.systemid, timeline, earlier: await earlierTimelines(connection, timeline) };
}

/** Up to where the log of a server holds what was read in a log; undefined if it is not a part of it at all. */
export function sharedUpTo(server: ServerLog, read: LogName, end: bigint): bigint | undefined {
  if (server.system !== read.system) return undefined;
  return server.timeline === read.timeline ? end : server.earlier.get(read.timeline);
}

/** The expression for the timeline that a server writes on; null on one that writes none. */
export const ownTimeline = raw(`CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END`);

async function earlierTimelines(connection: Client, timeline: number): Promise<Map<number, bigint>> {
  if (timeline === 1) return new Map();
  try {
    const { rows } = await connection.query<{ content: string | Buffer }>(`TIMELINE_HISTORY ${timeline}`);
    return readHistory(String(rows[0]?.content ?? ''));
  } catch (error) {
    // Without the file, nothing is known of what came before.
    if (errorCode(error) === '58P01') return new Map();
    throw error;
  }
}

/** Each line holds a timeline, where it was left, and why. */
export function readHistory(text: string): Map<number, bigint> {
  const lines = text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gim);
  return new Map(Array.from(lines, ([, timeline = '', lsn = '']) => [Number(timeline), parseLsn(lsn)]));
}
