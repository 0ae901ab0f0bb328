import type { ClientBase, Pool } from 'pg';
import { onlyRow } from '../db/only-row.ts';
import { type Queryable, run } from '../db/pool.ts';
import { raw, sql } from '../db/sql.ts';
import { type FeedEpoch, parseLsn } from './position.ts';
import { type LogName, ownTimeline } from './server-log.ts';

/** The replication slot of a cell, as PostgreSQL describes it, and the epoch of what it tells. */
export interface ReplicationSlot {
  readonly name: string;
  /** Also while it is being made. */
  readonly exists: boolean;
  /** Undefined: there is no slot, it is being made, or it has lost what it was meant to keep. */
  readonly confirmed: bigint | undefined;
  readonly isLost: boolean;
  /** Some process reads it. */
  readonly isHeld: boolean;
  /** Undefined while there is nothing to read from. */
  readonly epoch: FeedEpoch | undefined;
  /** The epoch that was written down last, and the log that it was read in, if that may go on. */
  readonly noted: { readonly epoch: FeedEpoch; readonly log: LogName | undefined } | undefined;
  /** The timeline that the server writes on, and how far; undefined on one that writes none. */
  readonly timeline: number | undefined;
  readonly end: bigint;
  /** How many bytes of the log wait to be read. */
  readonly lagBytes: number;
  /** Can changes be read at all? */
  readonly canDecode: boolean;
}

interface SlotRow {
  readonly slot: string;
  readonly exists: boolean;
  readonly confirmed: string | null;
  readonly is_lost: boolean;
  readonly is_held: boolean;
  readonly epoch: string | null;
  readonly system: string | null;
  readonly noted_timeline: string | null;
  readonly timeline: number | null;
  readonly log_end: string | null;
  readonly lag: string;
  readonly can_decode: boolean;
}

/** Slots belong to the whole server, so the name holds the number of the database. */
const slotName = raw(`'plinth_' || (SELECT oid FROM pg_database WHERE datname = current_database())`);

/** Long transactions delay the making of a slot, which waits until all that were running have ended. */
const longestMakingMs = 300_000;

export async function findReplicationSlot(connection: Queryable): Promise<ReplicationSlot> {
  const rows = await run<SlotRow>(
    connection,
    sql`SELECT named.slot, slots.slot_name IS NOT NULL AS exists, slots.confirmed_flush_lsn::text AS confirmed,
      coalesce(slots.wal_status = 'lost', false) AS is_lost, coalesce(slots.active, false) AS is_held,
      feed.epoch, feed.system, feed.timeline AS noted_timeline, ${ownTimeline} AS timeline, log.log_end::text,
      coalesce(pg_wal_lsn_diff(log.log_end, slots.confirmed_flush_lsn), 0)::bigint AS lag,
      current_setting('wal_level') = 'logical' AS can_decode
    FROM (SELECT ${slotName} AS slot) AS named
    CROSS JOIN (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS log_end) AS log
    LEFT JOIN pg_replication_slots AS slots ON slots.slot_name = named.slot
    LEFT JOIN cell.change_feed AS feed ON feed.slot = named.slot`,
  );
  const row = onlyRow(rows);
  const confirmed = row.confirmed === null || row.is_lost ? undefined : parseLsn(row.confirmed);
  return {
    name: row.slot,
    exists: row.exists,
    confirmed,
    isLost: row.is_lost,
    isHeld: row.is_held,
    epoch: confirmed === undefined ? undefined : (row.epoch ?? undefined),
    noted: notedIn(row),
    timeline: row.timeline ?? undefined,
    end: parseLsn(row.log_end ?? '0/0'),
    lagBytes: Number(row.lag),
    canDecode: row.can_decode,
  };
}

function notedIn({ epoch, system, noted_timeline: timeline }: SlotRow): ReplicationSlot['noted'] {
  if (epoch === null) return undefined;
  const isKnown = system !== null && timeline !== null;
  return { epoch, log: isKnown ? { system, timeline: Number(timeline) } : undefined };
}

/**
 * Makes the slot, if need be in place of one that was lost or is too old; false if another node does, or has done so. What it tells
 * begins another epoch: nobody may go on in the former. The connection is for this alone.
 */
export async function makeReplicationSlot(connection: ClientBase, isTooOld: boolean): Promise<boolean> {
  const locks = await run<{ taken: boolean }>(
    connection,
    sql`SELECT pg_try_advisory_lock(hashtextextended('plinth replication slot', 0)) AS taken,
      set_config('statement_timeout', ${String(longestMakingMs)}, false)`,
  );
  if (!onlyRow(locks).taken) return false;
  const { name, exists, isLost } = await findReplicationSlot(connection);
  if (exists && !isLost && !isTooOld) return false;
  await run(connection, sql`UPDATE cell.change_feed SET system = NULL, timeline = NULL WHERE slot = ${name}`);
  if (exists) await run(connection, sql`SELECT pg_drop_replication_slot(${name})`);
  // From PostgreSQL 17 on, standbys that are told to synchronise slots keep it for a failover.
  const versions = await run<{ version: number }>(
    connection,
    sql`SELECT current_setting('server_version_num')::int AS version`,
  );
  const failover = onlyRow(versions).version >= 170_000 ? ', failover => true' : '';
  await run(connection, sql`SELECT pg_create_logical_replication_slot(${name}, 'pgoutput'${raw(failover)})`);
  return true;
}

/** For the holder of the slot only. Every node hears of it. */
export async function noteEpoch(pool: Pool, slot: string, epoch: FeedEpoch, log: LogName): Promise<void> {
  await run(
    pool,
    sql`WITH noted AS (
      INSERT INTO cell.change_feed (slot, epoch, system, timeline)
      VALUES (${slot}, ${epoch}, ${log.system}, ${log.timeline})
      ON CONFLICT (slot) DO UPDATE SET epoch = excluded.epoch, system = excluded.system, timeline = excluded.timeline
      RETURNING epoch)
    SELECT pg_notify('plinth', 'feed:' || epoch) FROM noted`,
  );
}
