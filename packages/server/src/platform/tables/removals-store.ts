import { type Pool, run } from '../db/pool.ts';
import type { ProjectDb } from '../db/project-db.ts';
import { sql } from '../db/sql.ts';

/** Rows that are still to be removed: of a deleted collection or, without one, of a deleted project. */
export interface RequestedRemoval {
  readonly id: string;
  readonly projectId: string;
  readonly collection: number | null;
}

/** Asks for the rows of a deleted collection, or of the whole deleted project, to be removed. */
export async function requestRemoval(db: ProjectDb, collection: number | null): Promise<void> {
  await db.query(sql`INSERT INTO cell.purges (project_id, collection) VALUES (${db.scope}, ${collection})`);
}

/** What is still to be removed of the project, in the order in which it was asked for. */
export async function listRemovals(
  db: ProjectDb,
  most: number,
): Promise<{ readonly id: string; readonly requestedAt: Date }[]> {
  return db.query(sql`
    SELECT md5(id::text) AS id, requested_at AS "requestedAt" FROM cell.purges
    WHERE project_id = ${db.scope} ORDER BY requested_at LIMIT ${most}`);
}

export async function findRemoval(pool: Pool, afterId: string): Promise<RequestedRemoval | undefined> {
  const [removal] = await run<RequestedRemoval & Record<string, unknown>>(
    pool,
    sql`SELECT id, project_id AS "projectId", collection FROM cell.purges WHERE id > ${afterId} ORDER BY id LIMIT 1`,
  );
  return removal;
}

/** Locks a removal for this transaction. False: it is done, or another node is at it. */
export async function lockRemoval(db: ProjectDb, id: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT FROM cell.purges WHERE project_id = ${db.scope} AND id = ${id} FOR UPDATE SKIP LOCKED`,
  );
  return rows.length === 1;
}

export async function endRemoval(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`DELETE FROM cell.purges WHERE project_id = ${db.scope} AND id = ${id}`);
}
