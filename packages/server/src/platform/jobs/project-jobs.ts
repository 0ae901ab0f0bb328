import type { ProjectDb } from '../db/project-db.ts';
import { sql } from '../db/sql.ts';

export interface ProjectJob {
  /** Stands for its key, which may tell more than it should. */
  readonly id: string;
  readonly task: string;
  /** What follows the ref in its key. */
  readonly name: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly runAt: Date;
  readonly isRunning: boolean;
  /** It was tried as often as allowed. */
  readonly isFailed: boolean;
}

/** Jobs of the project that are not done, by their keys: these begin with the ref, and are together in their index. */
export async function listJobsOf(
  db: ProjectDb,
  { ref, most }: { readonly ref: string; readonly most: number },
): Promise<ProjectJob[]> {
  return db.query<ProjectJob & Record<string, unknown>>(sql`
    SELECT md5(key) AS id, task_identifier AS task, substr(key, ${ref.length + 2}::int) AS name, attempts,
      created_at AS "createdAt", run_at AS "runAt", locked_at IS NOT NULL AS "isRunning",
      attempts >= max_attempts AND locked_at IS NULL AS "isFailed"
    FROM graphile_worker.jobs
    WHERE key > ${ref} AND key < ${`${ref}zz`} AND flags ? ${db.scope}::text LIMIT ${most}`);
}

/**
 * Lets a job of the project be tried now, as if for the first time; one that is being done is left alone. False: there is
 * no such job any more.
 */
export async function retryJob(db: ProjectDb, key: string): Promise<boolean> {
  const [job] = await db.query<{ id: string }>(
    sql`SELECT id FROM graphile_worker.jobs WHERE key = ${key} AND flags ? ${db.scope}::text`,
  );
  if (!job) return false;
  await db.query(
    sql`SELECT id FROM graphile_worker.reschedule_jobs(ARRAY [${job.id}::bigint], run_at => now(), attempts => 0)
      WHERE ${db.scope}::text IS NOT NULL`,
  );
  return true;
}
