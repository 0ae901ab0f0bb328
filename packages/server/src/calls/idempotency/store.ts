import type { ProjectDb } from '../../platform/db/project-db.ts';
import { plainArray, type Sql, sql } from '../../platform/db/sql.ts';

/** How long an answer is kept for an Idempotency-Key. */
export const keptFor = '24 hours';

/** Claims a key for this transaction, waiting for one that is using it. False: it was used within 24 hours. */
export async function claimKey(db: ProjectDb, keyHash: Buffer, bodyHash: Buffer): Promise<boolean> {
  const claimed = await db.query(sql`
    INSERT INTO cell.idempotency_keys AS kept (project_id, key_hash, body_hash)
    SELECT ${db.scope}, ${keyHash}, ${bodyHash} FROM pg_advisory_xact_lock(${lockOf(keyHash)}::bigint)
    ON CONFLICT (project_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, answer = NULL, created_at = now()
      WHERE kept.created_at < now() - ${keptFor}::interval
    RETURNING true`);
  return claimed.length === 1;
}

/** What a call claims with the statement that does its work. */
export interface ClaimedKey {
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
  readonly answer: string;
}

/** Columns of the members of a shared statement, for their keys. */
export const keyColumns = sql`key_lock, key_hash, body_hash, answer`;

/** A key for each member of a shared statement, as functions whose rows go side by side. */
export function keyValues(keys: readonly ClaimedKey[]): Sql {
  const bytes = (of: 'keyHash' | 'bodyHash') =>
    plainArray(keys.map(({ [of]: hash }) => `"\\\\x${hash.toString('hex')}"`));
  // As JSON, which passes them on as they are.
  const answers = `[${keys.map(({ answer }) => answer).join(',')}]`;
  return sql`unnest(${plainArray(keys.map(({ keyHash }) => lockOf(keyHash)))}::bigint[]),
        unnest(${bytes('keyHash')}::bytea[]),
        unnest(${bytes('bodyHash')}::bytea[]),
        json_array_elements(${answers}::json)`;
}

/**
 * Claims the keys of rows that are about to be written, in the statement that writes them. It waits for nobody: a key
 * that was used, or that another call is using, is left out. No two rows may have the same. Whoever looks has the lock of
 * the key, so that nobody else adds it meanwhile; one that was added between the begin of the statement and the lock fails
 * it, and its members are tried alone.
 */
export function claimingKeys(rows: Sql): Sql {
  return sql`INSERT INTO cell.idempotency_keys (project_id, key_hash, body_hash, answer)
      SELECT project_id, key_hash, body_hash, answer::text FROM ${rows} AS claiming
      WHERE pg_try_advisory_xact_lock(key_lock) AND (SELECT true FROM cell.idempotency_keys AS used
        WHERE used.project_id = claiming.project_id AND used.key_hash = claiming.key_hash) IS NULL
      RETURNING key_hash`;
}

/** Held by whoever is using a key, until its transaction is over. */
function lockOf(keyHash: Buffer): string {
  return keyHash.readBigInt64BE().toString();
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
