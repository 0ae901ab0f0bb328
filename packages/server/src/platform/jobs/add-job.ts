import type { ControlDb } from '../db/control-db.ts';
import type { ProjectDb } from '../db/project-db.ts';
import { type Sql, sql } from '../db/sql.ts';

/** Work to be done after the transaction, at least once. */
export interface NewJob {
  readonly task: string;
  /** Names the job for ever: if it is done twice, then under the same name. It begins with the project's ref and `-`. */
  readonly key: string;
  /** Anyone who can read the database can read this, so secrets in it must be sealed. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Somebody waits for it, so it is done before the others. */
  readonly isAwaited: boolean;
  /** Jobs of one queue are done one after the other. */
  readonly queue?: string;
}

/** With the back-off of the queue (e, e², … e¹⁰ seconds, and e¹⁰ from then on) they take about a day. */
const maxTries = 14;

/** Later jobs of a project that has so many waiting are as late as the last of these. */
const mostCounted = 1000;

/** Adds a job in the transaction of its cause: either both are committed or neither. */
export async function addJob(db: ProjectDb, job: NewJob): Promise<void> {
  await db.query(adding(sql`${db.scope}::text`, job), 'jobs.add');
}

/** The same for what belongs to no project: it takes its turns as if it were one. Its key begins with `accounts-`. */
export async function addAccountJob(control: ControlDb, job: NewJob): Promise<void> {
  await control.query(adding(sql`${'accounts'}::text`, job), 'jobs.add-account');
}

function adding(project: Sql, { task, key, content, isAwaited, queue }: NewJob): Sql {
  return sql`SELECT graphile_worker.add_job(${task}::text,
      payload => (${JSON.stringify(content)}::jsonb || jsonb_build_object('projectId', ${project}))::json,
      job_key => ${key}::text, queue_name => ${queue ?? null}::text, max_attempts => ${maxTries}::int,
      priority => ${isAwaited ? 0 : 10}::int + ${waiting(key.slice(0, key.indexOf('-')))},
      flags => ARRAY [${project}])`;
}

/**
 * How many jobs of the project are waiting: each comes so much later, so that a project that adds many does not hold up
 * one that adds few. Keys that begin with the ref are together in their index, however the database compares texts.
 */
function waiting(ref: string): Sql {
  return sql`(SELECT count(*) FILTER (WHERE run_at <= now() AND locked_at IS NULL AND attempts < max_attempts) FROM (
      SELECT * FROM graphile_worker.jobs WHERE key > ${ref} AND key < ${`${ref}zz`} LIMIT ${mostCounted}) AS known)::int`;
}
