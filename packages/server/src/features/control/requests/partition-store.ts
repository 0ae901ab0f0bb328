import { type Pool, run } from '../../../platform/db/pool.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { lowestIdOf } from '../../../platform/ids.ts';

const dayMs = 86_400_000;
/** Partitions are there before their day: a node whose clock is ahead finds one, too. */
const daysAhead = 2;
const lockKey = 7_502_837_146;

/**
 * Makes the partitions of today and the next days, and drops those that are older than the log may be. One process works,
 * others find nothing to do. Whoever uses the table makes it give up for now.
 */
export async function tendPartitions(pool: Pool, days: number, now = Date.now()): Promise<void> {
  const today = Math.floor(now / dayMs);
  const wanted = days === 0 ? [] : Array.from({ length: daysAhead + 1 }, (_, ahead) => today + ahead);
  await inTransaction(pool, async (connection) => {
    const [lock] = await run<{ taken: boolean }>(
      connection,
      sql`SELECT pg_try_advisory_xact_lock(${lockKey}::bigint) AS taken, set_config('lock_timeout', '1s', true)`,
    );
    if (!lock?.taken) return;
    const names = await run<{ name: string }>(
      connection,
      sql`SELECT relname AS name FROM pg_class WHERE oid IN
        (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'cell.requests'::regclass)`,
    );
    const there = new Set(names.map(({ name }) => dayOf(name)));
    // What was written on the first of the days was written at its end, too.
    const gone = [...there].filter((day) => days === 0 || day < today - days);
    for (const day of gone) await run(connection, sql`DROP TABLE cell.${raw(nameOf(day))}`);
    for (const day of wanted.filter((day) => !there.has(day)))
      await run(
        connection,
        sql`CREATE UNLOGGED TABLE cell.${raw(nameOf(day))} PARTITION OF cell.requests
          FOR VALUES FROM (${raw(boundOf(day))}) TO (${raw(boundOf(day + 1))})`,
      );
  });
}

/** `requests_20270131` */
function nameOf(day: number): string {
  return `requests_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function dayOf(name: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs;
}

function boundOf(day: number): string {
  return `'${lowestIdOf(day * dayMs)}'`;
}
