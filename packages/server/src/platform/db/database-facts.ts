import type { Client } from 'pg';
import { type ClockReading, compareClocks } from '../clock/clock-reading.ts';
import { onlyRow } from './only-row.ts';

/** What a database and its server say of themselves. */
export interface DatabaseFacts {
  readonly database: string;
  /** As in `server_version_num`: 180004. */
  readonly version: number;
  readonly versionText: string;
  readonly isStandby: boolean;
  readonly encoding: string;
  readonly collation: string;
  /** Is text compared by code point, as JavaScript does? */
  readonly isByCodePoint: boolean;
  readonly walLevel: string;
  /** In MB; -1: no limit. */
  readonly maxSlotWalKeepMb: number;
  readonly replicationSlots: { readonly used: number; readonly most: number };
  readonly walSenders: { readonly used: number; readonly most: number };
  /** `most` is without those that are reserved for superusers. */
  readonly connections: { readonly used: number; readonly most: number };
  /** Processes of nodes that listen to this database now. */
  readonly listeners: number;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
  /** Is a standby named that commits wait for, and how many are there? */
  readonly waitsForStandby: boolean;
  readonly standbys: number;
  readonly isArchiving: boolean;
  /** When a piece of WAL was archived last, and when that failed last. */
  readonly archivedAgoS: number | null;
  readonly archivingFailedAgoS: number | null;
  readonly autovacuum: boolean;
  /** Transactions since the oldest that was not frozen yet. */
  readonly frozenAge: number;
  readonly ownTables: number;
  /** The table with most dead rows. */
  readonly deadRows: { readonly table: string; readonly dead: number; readonly live: number } | undefined;
  readonly bytes: number;
  readonly clock: ClockReading;
}

interface Row extends Omit<DatabaseFacts, 'clock' | 'frozenAge' | 'bytes'> {
  readonly frozenAge: string;
  readonly bytes: string;
  readonly nowMs: string;
}

/** Asks only what every role may read. */
export async function readDatabaseFacts(client: Client): Promise<DatabaseFacts> {
  const askedAt = Date.now();
  const { rows } = await client.query<Row>(statement);
  const { nowMs, frozenAge, bytes, ...facts } = onlyRow(rows);
  const clock = compareClocks(Number(nowMs), askedAt);
  return { ...facts, frozenAge: Number(frozenAge), bytes: Number(bytes), clock };
}

const setting = (name: string) => `current_setting('${name}')`;
const isOn = (name: string) => `current_setting('${name}') = 'on'`;

const statement = `
  SELECT here.datname AS database,
    ${setting('server_version_num')}::int AS version, ${setting('server_version')} AS "versionText",
    pg_is_in_recovery() AS "isStandby",
    pg_encoding_to_char(here.encoding) AS encoding, coalesce(here.datcollate, here.datlocprovider::text) AS collation,
    here.datcollate IN ('C', 'POSIX') AND here.datlocprovider = 'c' OR here.datlocprovider = 'b' AS "isByCodePoint",
    ${setting('wal_level')} AS "walLevel",
    (SELECT setting::int FROM pg_settings WHERE name = 'max_slot_wal_keep_size') AS "maxSlotWalKeepMb",
    json_build_object('used', (SELECT count(*) FROM pg_replication_slots),
      'most', ${setting('max_replication_slots')}::int) AS "replicationSlots",
    json_build_object('used', (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'walsender'),
      'most', ${setting('max_wal_senders')}::int) AS "walSenders",
    json_build_object('used', (SELECT sum(numbackends) FROM pg_stat_database),
      'most', ${setting('max_connections')}::int - ${setting('superuser_reserved_connections')}::int
        - coalesce(current_setting('reserved_connections', true)::int, 0)) AS connections,
    (SELECT count(*)::int FROM pg_stat_activity
      WHERE application_name = 'plinth listener' AND datname = here.datname) AS listeners,
    ${isOn('fsync')} AS fsync, ${isOn('full_page_writes')} AS "fullPageWrites",
    ${setting('synchronous_commit')} AS "synchronousCommit",
    ${setting('synchronous_standby_names')} <> '' AS "waitsForStandby",
    (SELECT count(*)::int FROM pg_stat_replication WHERE application_name <> 'plinth change feed') AS standbys,
    ${setting('archive_mode')} <> 'off' AS "isArchiving",
    (SELECT extract(epoch FROM now() - last_archived_time)::float FROM pg_stat_archiver) AS "archivedAgoS",
    (SELECT extract(epoch FROM now() - last_failed_time)::float FROM pg_stat_archiver) AS "archivingFailedAgoS",
    ${isOn('autovacuum')} AS autovacuum, age(here.datfrozenxid) AS "frozenAge",
    (SELECT count(*)::int FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'own' AND relkind = 'r') AS "ownTables",
    (SELECT json_build_object('table', schemaname || '.' || relname, 'dead', n_dead_tup, 'live', n_live_tup)
      FROM pg_stat_user_tables ORDER BY n_dead_tup DESC LIMIT 1) AS "deadRows",
    pg_database_size(here.oid) AS bytes,
    extract(epoch FROM clock_timestamp()) * 1000 AS "nowMs"
  FROM pg_database AS here WHERE here.datname = current_database()`;
