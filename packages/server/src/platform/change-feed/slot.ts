import type { Pool } from 'pg';
import { onlyRow } from '../db/only-row.ts';
import { errorCode } from '../error-code.ts';
import { type FeedEpoch, parseLsn } from './position.ts';

/** The replication slot of a cell, as PostgreSQL describes it, and the epoch of what it tells. */
export interface ReplicationSlot {
  readonly name: string;
  /** Undefined: there is no slot, or it has lost what it was meant to keep. */
  readonly confirmed: bigint | undefined;
  readonly isLost: boolean;
  /** Some process reads it. */
  readonly isHeld: boolean;
  readonly epoch: FeedEpoch | undefined;
  /** How many bytes of the log wait to be read. */
  readonly lagBytes: number;
  /** Can changes be read at all? */
  readonly canDecode: boolean;
}

/** Slots belong to the whole server, so the name holds the number of the database. */
const slotName = `'plinth_' || (SELECT oid FROM pg_database WHERE datname = current_database())`;

export async function findReplicationSlot(pool: Pool): Promise<ReplicationSlot> {
  const { rows } = await pool.query<{
    slot: string;
    confirmed: string | null;
    is_lost: boolean;
    is_held: boolean;
    epoch: string | null;
    lag: string;
    can_decode: boolean;
  }>(`SELECT named.slot, slots.confirmed_flush_lsn::text AS confirmed,
      coalesce(slots.wal_status = 'lost', false) AS is_lost, coalesce(slots.active, false) AS is_held, feed.epoch,
      coalesce(pg_wal_lsn_diff(CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_lsn() END, slots.confirmed_flush_lsn), 0)::bigint AS lag,
      current_setting('wal_level') = 'logical' AS can_decode
    FROM (SELECT ${slotName} AS slot) AS named
    LEFT JOIN pg_replication_slots AS slots ON slots.slot_name = named.slot
    LEFT JOIN cell.change_feed AS feed ON feed.slot = named.slot`);
  const row = onlyRow(rows);
  return {
    name: row.slot,
    confirmed: row.confirmed === null || row.is_lost ? undefined : parseLsn(row.confirmed),
    isLost: row.is_lost,
    isHeld: row.is_held,
    epoch: row.epoch ?? undefined,
    lagBytes: Number(row.lag),
    canDecode: row.can_decode,
  };
}

/** Makes the slot, in place of one that was lost. What it tells begins another epoch: nobody may go on in the former. */
export async function createReplicationSlot(pool: Pool, { name, isLost }: ReplicationSlot): Promise<void> {
  await pool.query('DELETE FROM cell.change_feed WHERE slot = $1', [name]);
  if (isLost) await pool.query('SELECT pg_drop_replication_slot($1)', [name]);
  try {
    await pool.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [name]);
  } catch (error) {
    // Another node was quicker.
    if (errorCode(error) !== '42710') throw error;
  }
}

/** For the holder of the slot only. Every node hears of it. */
export async function setFeedEpoch(pool: Pool, slot: string, epoch: FeedEpoch): Promise<void> {
  await pool.query(
    `WITH set AS (
      INSERT INTO cell.change_feed (slot, epoch) VALUES ($1, $2)
      ON CONFLICT (slot) DO UPDATE SET epoch = excluded.epoch RETURNING epoch)
    SELECT pg_notify('plinth', 'feed:' || epoch) FROM set`,
    [slot, epoch],
  );
}
