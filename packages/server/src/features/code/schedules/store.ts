import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { plainArray, sql, textArray } from '../../../platform/db/sql.ts';
import { insertingDeliveries, isWaiting, type NewEvent } from '../../deliveries/index.ts';
import type { Schedule } from './schedule.ts';

const columns = sql`name, lane, cron, zone, missed, overlap, is_paused AS "isPaused", next_at AS "nextAt",
  last_at AS "lastAt"`;

type Row = Schedule & Record<string, unknown>;

/** A schedule that is due, of any project of a cell. */
export type DueSchedule = Schedule & { readonly projectId: string; readonly nextAt: Date };

/** Those of any projects that are due, the longest due first; those after one of them. */
export async function listDue(
  pool: Pool,
  limit: number,
  after: DueSchedule | undefined,
): Promise<DueSchedule[]> {
  const { nextAt, projectId, name } = after ?? { nextAt: undefined, projectId: '0', name: '' };
  const isAfter = sql`(next_at, project_id, name) >
    (${nextAt?.toISOString() ?? '-infinity'}::timestamptz, ${projectId}::bigint, ${name}::text)`;
  return run<DueSchedule & Record<string, unknown>>(
    pool,
    sql`SELECT project_id AS "projectId", ${columns} FROM cell.schedules
      WHERE next_at <= now() AND NOT is_paused AND ${isAfter} ORDER BY next_at, project_id, name LIMIT ${limit}`,
    'schedules.due',
  );
}

/** A schedule whose time is taken, and what its lane is told. */
export interface BeginningSchedule extends Pick<DueSchedule, 'projectId' | 'name' | 'nextAt'> {
  readonly after: Date | null;
  readonly events: readonly NewEvent[];
}

/**
 * Takes the times that are due, of any projects, and writes down the runs in the same statement: whoever has the row has
 * its runs, and nobody waits for anybody. Where the run before has not ended, one that must not overlap is left out.
 * Returns the lanes that have something to do.
 */
export async function beginDue(
  pool: Pool,
  due: readonly BeginningSchedule[],
): Promise<{ readonly projectId: string; readonly lane: number }[]> {
  const begun = sql`(SELECT project_id, member FROM taken WHERE NOT is_busy)`;
  const events = due.map((schedule) => schedule.events);
  return run<{ projectId: string; lane: number }>(
    pool,
    sql`WITH mine AS (
        SELECT schedules.project_id, schedules.name, due.at, due.after, due.member,
          overlap = 'skip' AND ${isWaiting(sql`schedules.project_id`, sql`schedules.lane`)} AS is_busy
        FROM ROWS FROM (
          unnest(${plainArray(due.map(({ projectId }) => projectId))}::bigint[]),
          unnest(${textArray(due.map(({ name }) => name))}::text[]),
          unnest(${textArray(due.map(({ nextAt }) => nextAt.toISOString()))}::timestamptz[]),
          unnest(${textArray(due.map(({ after }) => after?.toISOString() ?? null))}::timestamptz[]))
          WITH ORDINALITY AS due (project_id, name, at, after, member)
        JOIN cell.schedules ON schedules.project_id = due.project_id AND schedules.name = due.name AND next_at = due.at
        WHERE NOT is_paused FOR NO KEY UPDATE OF schedules SKIP LOCKED
      ), taken AS (
        UPDATE cell.schedules SET next_at = mine.after, last_at = mine.at FROM mine
        WHERE schedules.project_id = mine.project_id AND schedules.name = mine.name
        RETURNING schedules.project_id, lane, mine.member, mine.is_busy
      ), told AS (${insertingDeliveries(events, begun)})
      SELECT project_id AS "projectId", lane FROM taken WHERE NOT is_busy`,
    'schedules.begin',
  );
}

export async function listSchedules(db: ProjectDb): Promise<Schedule[]> {
  return db.query<Row>(
    sql`SELECT ${columns} FROM cell.schedules WHERE project_id = ${db.scope} ORDER BY name`,
  );
}

export async function findSchedule(db: ProjectDb, name: string): Promise<Schedule | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.schedules WHERE project_id = ${db.scope} AND name = ${name}`,
  );
  return row;
}

/** Adds a schedule, or changes the one of that name; one whose times stay the same keeps the next of them. */
export async function saveSchedule(
  db: ProjectDb,
  { name, lane, cron, zone, missed, overlap, nextAt }: Omit<Schedule, 'isPaused' | 'lastAt'>,
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.schedules (project_id, name, lane, cron, zone, missed, overlap, next_at)
    VALUES (${db.scope}, ${name}, ${lane}, ${cron}, ${zone}, ${missed}, ${overlap}, ${nextAt?.toISOString() ?? null})
    ON CONFLICT (project_id, name) DO UPDATE SET lane = excluded.lane, cron = excluded.cron, zone = excluded.zone,
      missed = excluded.missed, overlap = excluded.overlap,
      next_at = CASE WHEN schedules.cron = excluded.cron AND schedules.zone = excluded.zone
        THEN schedules.next_at ELSE excluded.next_at END`);
}

export async function removeOtherSchedules(db: ProjectDb, kept: readonly string[]): Promise<void> {
  await db.query(
    sql`DELETE FROM cell.schedules WHERE project_id = ${db.scope} AND NOT name = ANY(${kept}::text[])`,
  );
}

export async function pauseSchedule(
  db: ProjectDb,
  name: string,
  { isPaused, nextAt }: Pick<Schedule, 'isPaused' | 'nextAt'>,
): Promise<void> {
  await db.query(sql`UPDATE cell.schedules SET is_paused = ${isPaused}, next_at = ${nextAt?.toISOString() ?? null}
    WHERE project_id = ${db.scope} AND name = ${name}`);
}
