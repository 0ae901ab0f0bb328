import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { plainArray, sql } from '../../../platform/db/sql.ts';
import type { Figure, Usage } from './usage.ts';

/** What a project has used within an hour. */
interface HourUsage {
  readonly projectId: string;
  readonly hour: Date;
  readonly usage: Usage;
}

interface Batch {
  readonly process: string;
  readonly number: number;
  readonly hours: readonly HourUsage[];
}

/** What is added to a row that is there. */
const sums = sql`reads = kept.reads + excluded.reads, writes = kept.writes + excluded.writes,
  auths = kept.auths + excluded.auths, failures = kept.failures + excluded.failures, limited = kept.limited + excluded.limited,
  ms_total = kept.ms_total + excluded.ms_total, bytes_in = kept.bytes_in + excluded.bytes_in,
  bytes_out = kept.bytes_out + excluded.bytes_out,
  durations = (SELECT array_agg(least(a::bigint + b, 2147483647)::int ORDER BY at)
    FROM unnest(kept.durations, excluded.durations) WITH ORDINALITY AS both_of (a, b, at))`;

/** Adds a batch of sums to the hours of a cell. The same batch again changes nothing. */
export async function addToHours(pool: Pool, { process, number, hours }: Batch): Promise<void> {
  const column = (figure: Figure) => plainArray(hours.map(({ usage }) => Math.round(usage[figure])));
  await run(
    pool,
    sql`WITH claimed AS (
      INSERT INTO cell.usage_batches AS known (process, batch) VALUES (${process}, ${number})
      ON CONFLICT (process) DO UPDATE SET batch = excluded.batch, at = now() WHERE known.batch < excluded.batch
      RETURNING true
    )
    INSERT INTO cell.usage_hours AS kept
      (project_id, hour, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations)
    SELECT project_id, hour, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations::int[]
    FROM unnest(
      ${plainArray(hours.map(({ projectId }) => projectId))}::bigint[],
      ${hours.map(({ hour }) => hour)}::timestamptz[],
      ${column('reads')}::bigint[], ${column('writes')}::bigint[], ${column('auths')}::bigint[],
      ${column('failures')}::bigint[], ${column('limited')}::bigint[], ${column('msTotal')}::bigint[],
      ${column('bytesIn')}::bigint[], ${column('bytesOut')}::bigint[],
      ${hours.map(({ usage }) => plainArray(usage.durations))}::text[]
    ) AS added (project_id, hour, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations)
    WHERE EXISTS (SELECT FROM claimed)
    -- In one order, so that nodes do not wait for one another in a circle.
    ORDER BY project_id, hour
    ON CONFLICT (project_id, hour) DO UPDATE SET ${sums}`,
    'usage.add-to-hours',
  );
}

/** The hours of a project from a time to another, as they are kept; the older of them are days. */
export async function listHours(
  db: ProjectDb,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ hour: Date; usage: Usage }[]> {
  const rows = await db.query<Record<Figure, string> & { hour: Date; durations: number[] }>(
    sql`SELECT hour, reads, writes, auths, failures, limited, ms_total AS "msTotal", bytes_in AS "bytesIn",
        bytes_out AS "bytesOut", durations
      FROM cell.usage_hours WHERE project_id = ${db.scope} AND hour >= ${from} AND hour < ${to} ORDER BY hour`,
  );
  return rows.map(({ hour, durations, ...counts }) => ({
    hour,
    usage: {
      reads: Number(counts.reads),
      writes: Number(counts.writes),
      auths: Number(counts.auths),
      failures: Number(counts.failures),
      limited: Number(counts.limited),
      msTotal: Number(counts.msTotal),
      bytesIn: Number(counts.bytesIn),
      bytesOut: Number(counts.bytesOut),
      durations,
    },
  }));
}

const hoursAtOnce = 5000;

/**
 * Makes days of hours that are older than 30 days, a limited number at once. Looks back a week: hours that were forgotten
 * for longer stay hours, which costs room and nothing else.
 */
export async function foldHours(pool: Pool, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped()) {
    const [row] = await run<{ count: string }>(
      pool,
      sql`WITH old AS (
        DELETE FROM cell.usage_hours WHERE ctid = ANY (ARRAY (
          SELECT ctid FROM cell.usage_hours, date_trunc('day', now() - interval '30 days', 'UTC') AS until
          WHERE hour < until AND hour >= until - interval '7 days' AND hour <> date_trunc('day', hour, 'UTC')
          LIMIT ${hoursAtOnce} FOR UPDATE OF usage_hours SKIP LOCKED))
        RETURNING *, date_trunc('day', hour, 'UTC') AS day
      ), counted AS (
        SELECT project_id, day, at, sum(calls) AS calls
        FROM old, unnest(durations) WITH ORDINALITY AS bucket (calls, at) GROUP BY project_id, day, at
      ), histograms AS (
        SELECT project_id, day, array_agg(least(calls, 2147483647)::int ORDER BY at) AS durations
        FROM counted GROUP BY project_id, day
      ), days AS (
        SELECT project_id, day, sum(reads) AS reads, sum(writes) AS writes, sum(auths) AS auths, sum(failures) AS failures,
          sum(limited) AS limited, sum(ms_total) AS ms_total, sum(bytes_in) AS bytes_in, sum(bytes_out) AS bytes_out
        FROM old GROUP BY project_id, day
      ), folded AS (
        INSERT INTO cell.usage_hours AS kept
          (project_id, hour, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations)
        SELECT project_id, day, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations
        FROM days JOIN histograms USING (project_id, day) ORDER BY project_id, day
        ON CONFLICT (project_id, hour) DO UPDATE SET ${sums}
      ) SELECT count(*) AS count FROM old`,
    );
    if (Number(row?.count ?? 0) < hoursAtOnce) return;
  }
}
