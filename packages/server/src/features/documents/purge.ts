import type { Pool } from 'pg';
import type { Cells } from '../../platform/db/cells.ts';
import { inTransaction, type Queryable, run } from '../../platform/db/pool.ts';
import type { ProjectLocation } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

const chunk = 5000;

interface Purge {
  id: string;
  project_id: string;
  collection: number | null;
}

/** Removes documents of deleted collections and projects, in short transactions, until there is nothing to do. */
export async function purgeCell(pool: Pool, isStopped: () => boolean = () => false): Promise<void> {
  let after = '0';
  while (!isStopped()) {
    const step = await inTransaction(pool, (connection) => purgeSome(connection, after));
    if (step === 'nothing left') return;
    // A document that somebody still holds is taken on a later sweep; the next purge need not wait for it.
    if (step.isStuck) after = step.id;
  }
}

async function purgeSome(
  connection: Queryable,
  after: string,
): Promise<'nothing left' | { id: string; isStuck: boolean }> {
  // The lock keeps other nodes off the same work; they take the next.
  const [purge] = await run<Purge>(
    connection,
    sql`SELECT id, project_id, collection FROM cell.purges WHERE id > ${after} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  if (!purge) return 'nothing left';
  const doomed = sql`project_id = ${purge.project_id} AND (${purge.collection}::int IS NULL OR collection = ${purge.collection})`;
  const removed = await run(
    connection,
    sql`DELETE FROM cell.documents WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.documents WHERE ${doomed} LIMIT ${chunk} FOR UPDATE SKIP LOCKED)) RETURNING true`,
  );
  if (removed.length > 0) return { id: purge.id, isStuck: false };
  const held = await run(connection, sql`SELECT FROM cell.documents WHERE ${doomed} LIMIT 1`);
  if (held.length > 0) return { id: purge.id, isStuck: true };
  await run(connection, sql`DELETE FROM cell.purges WHERE id = ${purge.id}`);
  return { id: purge.id, isStuck: false };
}

/** Removes everything of a project from its cell. */
export async function purgeProject(project: ProjectLocation, cells: Cells): Promise<void> {
  const pool = cells.pool(project.cell);
  await inTransaction(pool, async (connection) => {
    const id = project.id;
    await run(connection, sql`DELETE FROM cell.collections WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.document_counts WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.idempotency_keys WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.links WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.sessions WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.app_user_secrets WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.app_user_counts WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.app_users WHERE project_id = ${id}`);
    await run(connection, sql`DELETE FROM cell.project_numbers WHERE project_id = ${id}`);
    await run(connection, sql`INSERT INTO cell.purges (project_id) VALUES (${id})`);
  });
  await purgeCell(pool);
}

/** Forgets answers kept for Idempotency-Keys that are past their 24 hours. */
export async function forgetOldKeys(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`DELETE FROM cell.idempotency_keys WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT ${chunk}))`,
  );
}
