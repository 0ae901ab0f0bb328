import type { Pool } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Notes that bytes are about to be written that no record holds yet. */
export async function insertLoose(db: ProjectDb, tree: string, forSeconds: number): Promise<void> {
  await db.query(
    sql`INSERT INTO cell.loose_blobs (tree, project_id, remove_after)
      VALUES (${tree}, ${db.scope}, now() + ${forSeconds} * interval '1 second')`,
    'files.insert-loose',
  );
}

/** Keeps the bytes of an upload that is still under way. */
export async function keepLoose(db: ProjectDb, tree: string, forSeconds: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.loose_blobs SET remove_after = now() + ${forSeconds} * interval '1 second'
    WHERE project_id = ${db.scope} AND tree = ${tree} AND NOT is_doomed`);
}

/** Dooms loose bytes, so that they can no longer be recorded. False: they belong to a file now, or are already gone. */
export async function doomLoose(db: ProjectDb, tree: string): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.loose_blobs SET is_doomed = true, remove_after = now() + interval '5 minutes'
    WHERE project_id = ${db.scope} AND tree = ${tree} AND NOT is_doomed RETURNING true`);
  return rows.length === 1;
}

export async function forgetLoose(db: ProjectDb, tree: string): Promise<void> {
  await db.query(sql`DELETE FROM cell.loose_blobs WHERE project_id = ${db.scope} AND tree = ${tree}`);
}

interface LooseTree {
  readonly tree: string;
  readonly project_id: string;
}

/** Dooms some of the bytes whose time has come. If this sweep does not finish, another takes them again. */
export async function takeLoose(pool: Pool, limit: number): Promise<LooseTree[]> {
  return run<LooseTree>(
    pool,
    sql`UPDATE cell.loose_blobs SET is_doomed = true, remove_after = now() + interval '5 minutes'
      WHERE tree = ANY (ARRAY (SELECT tree FROM cell.loose_blobs WHERE remove_after <= now()
        ORDER BY remove_after LIMIT ${limit} FOR UPDATE SKIP LOCKED)) AND remove_after <= now()
      RETURNING tree, project_id`,
  );
}
