import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { LogLine, Thrown } from '../sandbox/index.ts';

export type Outcome =
  | 'ok'
  | 'refused'
  | 'failed'
  | 'timed_out'
  | 'crashed'
  | 'out_of_memory'
  | 'busy'
  | 'unreachable'
  | 'off';

/** One run of a function. */
export interface RunRecord {
  readonly id: string;
  readonly at: string;
  readonly function: string;
  readonly version: number;
  readonly kind: 'http' | 'hook' | 'schedule' | 'task';
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly ms: number;
  /** Whether its process was there, blank, or had to be started. */
  readonly start: string | null;
  readonly error: Thrown | null;
  readonly logs: readonly LogLine[];
  readonly cause: string | null;
}

/** Writes runs of any projects of a cell. */
export async function insertRuns(
  pool: Pool,
  runs: readonly { readonly projectId: string; readonly record: RunRecord }[],
): Promise<void> {
  const rows = runs.map(({ projectId, record }) => ({ ...record, project_id: projectId }));
  await run(
    pool,
    sql`INSERT INTO cell.function_runs
      SELECT given.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (project_id bigint, id uuid,
        at timestamptz, function text, version integer, kind text, outcome text, status smallint, ms real, start text,
        error jsonb, logs jsonb, cause text)
      ON CONFLICT DO NOTHING`,
  );
}

export interface WantedRuns {
  readonly function?: string | undefined;
  readonly isFailed?: boolean | undefined;
  /** Those before it, the newest first; or with `after`, those after it, the oldest first. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

const columns = sql`id, at, function, version, kind, outcome, status, ms, start, error, logs, cause`;

export async function listRuns(db: ProjectDb, wanted: WantedRuns): Promise<RunRecord[]> {
  const { function: name, isFailed, before, after, limit } = wanted;
  return db.query<RunRecord & { id: string }>(sql`
    SELECT ${columns} FROM cell.function_runs WHERE project_id = ${db.scope}
      ${name === undefined ? sql`` : sql`AND function = ${name}`}
      ${isFailed ? sql`AND outcome NOT IN ('ok', 'refused')` : sql``}
      ${before === undefined ? sql`` : sql`AND id < ${before}::uuid`}
      ${after === undefined ? sql`` : sql`AND id > ${after}::uuid`}
    ORDER BY id ${after === undefined ? sql`DESC` : sql`ASC`} LIMIT ${limit}`);
}

export async function findRun(db: ProjectDb, id: string): Promise<RunRecord | undefined> {
  const [row] = await db.query<RunRecord & { id: string }>(
    sql`SELECT ${columns} FROM cell.function_runs WHERE project_id = ${db.scope} AND id = ${id}::uuid`,
  );
  return row;
}
