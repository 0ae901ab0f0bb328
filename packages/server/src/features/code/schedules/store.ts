import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { Schedule } from './schedule.ts';

const columns = sql`name, lane, cron, zone, missed, overlap, is_paused AS "isPaused", next_at AS "nextAt",
  last_at AS "lastAt"`;

type Row = Schedule & Record<string, unknown>;

/** A schedule that is due, of any project of a cell. */
export type DueSchedule = Schedule & { readonly projectId: string; readonly nextAt: Date };

/** Those of any projects that are due, the longest due first. */
export async function listDue(pool: Pool, limit: number): Promise<DueSchedule[]> {
  return run<DueSchedule & Record<string, unknown>>(
    pool,
    sql`SELECT project_id AS "projectId", ${columns} FROM cell.schedules
      WHERE next_at <= now() AND NOT is_paused ORDER BY next_at LIMIT ${limit}`,
    'schedules.due',
  );
}

/** Takes the times that are due, so that nobody else does; returns the names of those that it has taken. */
export async function takeDue(
  db: ProjectDb,
  due: readonly { readonly name: string; readonly nextAt: Date; readonly after: Date | null }[],
): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(sql`
    UPDATE cell.schedules SET next_at = due.after, last_at = due.at
    FROM unnest(${due.map(({ name }) => name)}::text[], ${due.map(({ nextAt }) => nextAt.toISOString())}::timestamptz[],
      ${due.map(({ after }) => after?.toISOString() ?? null)}::timestamptz[]) AS due (name, at, after)
    WHERE project_id = ${db.scope} AND schedules.name = due.name AND next_at = due.at AND NOT is_paused
    RETURNING schedules.name`);
  return new Set(rows.map(({ name }) => name));
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
