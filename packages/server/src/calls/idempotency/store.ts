import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

/** How long an answer is kept for an Idempotency-Key. */
export const keptFor = '24 hours';

/** Claims a key for this transaction, waiting for one that is using it. False: it was used within 24 hours. */
export async function claimKey(db: ProjectDb, keyHash: Buffer, bodyHash: Buffer): Promise<boolean> {
  const claimed = await db.query(sql`
    INSERT INTO cell.idempotency_keys AS kept (project_id, key_hash, body_hash)
    VALUES (${db.scope}, ${keyHash}, ${bodyHash})
    ON CONFLICT (project_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, answer = NULL, created_at = now()
      WHERE kept.created_at < now() - ${keptFor}::interval
    RETURNING true`);
  return claimed.length === 1;
}

/** Whether a call with this key was answered within 24 hours. */
export async function hasKeptAnswer(db: ProjectDb, keyHash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT FROM cell.idempotency_keys WHERE project_id = ${db.scope} AND key_hash = ${keyHash}
      AND created_at > now() - ${keptFor}::interval`);
  return rows.length === 1;
}

export async function getKeptAnswer(
  db: ProjectDb,
  keyHash: Buffer,
): Promise<{ bodyHash: Buffer; answer: string }> {
  const [kept] = await db.query<{ bodyHash: Buffer; answer: string }>(sql`
    SELECT body_hash AS "bodyHash", answer FROM cell.idempotency_keys
    WHERE project_id = ${db.scope} AND key_hash = ${keyHash}`);
  return kept!;
}

/** How many bytes the answers of a project take that are kept. */
export async function sumKeptAnswers(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(sql`
    SELECT coalesce(sum(pg_column_size(answer)), 0) AS bytes FROM cell.idempotency_keys WHERE project_id = ${db.scope}`);
  return Number(row?.bytes ?? 0);
}

export async function keepAnswer(db: ProjectDb, keyHash: Buffer, answer: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.idempotency_keys SET answer = ${answer} WHERE project_id = ${db.scope} AND key_hash = ${keyHash}`);
}
