import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export async function replaceRecoveryCodes(
  db: ProjectDb,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await removeRecoveryCodes(db, userId);
  await db.query(sql`
    INSERT INTO cell.recovery_codes (project_id, user_id, code_hash)
    SELECT ${db.scope}, ${userId}::uuid, hash FROM unnest(${hashes}::bytea[]) AS hash`);
}

export async function removeRecoveryCodes(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.recovery_codes WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

/** False: the user has no such code. */
export async function removeRecoveryCode(db: ProjectDb, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.recovery_codes
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND code_hash = ${hash} RETURNING true`);
  return rows.length === 1;
}

export async function countRecoveryCodes(db: ProjectDb, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM cell.recovery_codes
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
  return row?.count ?? 0;
}
