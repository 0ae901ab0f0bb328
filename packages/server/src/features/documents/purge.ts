import type { Pool } from 'pg';
import type { Cells } from '../../platform/db/cells.ts';
import { isLockTimeout, run } from '../../platform/db/pool.ts';
import { ProjectDb, type ProjectLocation } from '../../platform/db/project-db.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';
import { dropOwnTable, listOwnTables, ownTable } from '../collections/index.ts';
import { forgetFiles, releaseHeldBy } from '../storage/index.ts';

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
    const [purge] = await run<Purge>(
      pool,
      sql`SELECT id, project_id, collection FROM cell.purges WHERE id > ${after} ORDER BY id LIMIT 1`,
    );
    if (!purge) return;
    const step = await purgeStep(new ProjectDb(pool, purge.project_id), purge);
    // What another node works on, or somebody still holds, is taken on a later sweep; the next purge need not wait.
    if (step === 'stuck') after = purge.id;
  }
}

/** Dropping a table waits for those who still read it, but makes nobody wait behind it for long. */
async function purgeStep(db: ProjectDb, purge: Purge): Promise<'went on' | 'stuck'> {
  try {
    return await db.transaction((db) => purgeSome(db, purge));
  } catch (error) {
    if (isLockTimeout(error)) return 'stuck';
    throw error;
  }
}

async function purgeSome(db: ProjectDb, { id, collection }: Purge): Promise<'went on' | 'stuck'> {
  const [claimed] = await db.query(
    sql`SELECT FROM cell.purges WHERE project_id = ${db.scope} AND id = ${id} FOR UPDATE SKIP LOCKED`,
  );
  if (!claimed) return 'stuck';
  const doomed = sql`project_id = ${db.scope} AND (${collection}::int IS NULL OR collection = ${collection})`;
  if ((await removeSome(db, sql`cell.documents`, doomed)) > 0) return 'went on';
  const held = await db.query(sql`SELECT FROM cell.documents WHERE ${doomed} LIMIT 1`);
  if (held.length > 0) return 'stuck';
  for (const own of await listOwnTables(db, collection)) {
    // Documents that hold files go one by one, the others with their table.
    if ((await removeSome(db, ownTable(own), sql`project_id = ${db.scope} AND holds_files`)) > 0)
      return 'went on';
    await dropOwnTable(db, own.number);
  }
  for (const table of [sql`cell.unique_values`, sql`cell.query_shapes`, sql`cell.indexes`]) {
    const rows = await db.query(sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${table} WHERE ${doomed} LIMIT ${chunk})) RETURNING true`);
    if (rows.length > 0) return 'went on';
  }
  await db.query(sql`DELETE FROM cell.purges WHERE project_id = ${db.scope} AND id = ${id}`);
  return 'went on';
}

/** Removes some documents that nobody holds, and what is theirs; how many there were. */
async function removeSome(db: ProjectDb, table: Sql, doomed: Sql): Promise<number> {
  const removed = await db.query<{ id: string; holds_files: boolean }>(
    sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${table} WHERE ${doomed} LIMIT ${chunk} FOR UPDATE SKIP LOCKED)) RETURNING id, holds_files`,
  );
  const holders = removed.filter(({ holds_files: holdsFiles }) => holdsFiles).map(({ id }) => id);
  // Their bytes are removed by the same sweep that runs this.
  await releaseHeldBy(db, holders, { onLoose: () => {} });
  return removed.length;
}

/** Removes everything of a project from its cell. The bytes of its files follow with the next sweep of a node. */
export async function purgeProject(project: ProjectLocation, cells: Cells): Promise<void> {
  await removeUsers(cells.forProject(project));
  await cells.forProject(project).transaction(async (db) => {
    await db.query(sql`DELETE FROM cell.collections WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.document_counts WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.idempotency_keys WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.links WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.sessions WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.app_user_secrets WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.app_user_counts WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.app_users WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.oauth_states WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.used_oauth_codes WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.one_time_codes WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.mail_counts WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.mail_templates WHERE project_id = ${db.scope}`);
    await db.query(sql`DELETE FROM cell.project_numbers WHERE project_id = ${db.scope}`);
    await forgetFiles(db);
    await db.query(sql`INSERT INTO cell.purges (project_id) VALUES (${db.scope})`);
  });
  await purgeCell(cells.pool(project.cell));
}

/** Users take much along with them: some at a time. */
async function removeUsers(db: ProjectDb): Promise<void> {
  for (;;) {
    const removed = await db.query(sql`
      DELETE FROM cell.app_users WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM cell.app_users WHERE project_id = ${db.scope} LIMIT ${chunk})) RETURNING true`);
    if (removed.length === 0) return;
  }
}

/** Forgets answers kept for Idempotency-Keys that are past their 24 hours. */
export async function forgetOldKeys(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.idempotency_keys`, sql`created_at < now() - interval '24 hours'`);
}
