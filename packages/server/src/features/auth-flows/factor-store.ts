import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

/** How a user signs in besides the password. */
export interface Factors {
  readonly skipsCodes: boolean;
  readonly totpSecret: Buffer | null;
  readonly isTotpConfirmed: boolean;
  readonly recoveryCodes: number;
}

export async function findFactors(db: ProjectDb, userId: string): Promise<Factors | undefined> {
  const [row] = await db.query<Factors & Record<string, unknown>>(
    sql`SELECT skips_codes AS "skipsCodes", totp_secret AS "totpSecret", totp_confirmed AS "isTotpConfirmed",
        (SELECT count(*)::int FROM cell.recovery_codes AS codes
          WHERE codes.project_id = secrets.project_id AND codes.user_id = secrets.user_id) AS "recoveryCodes"
      FROM cell.app_user_secrets AS secrets WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`,
    'auth-flows.find-factors',
  );
  return row;
}

export async function setSkipsCodes(db: ProjectDb, userId: string, skips: boolean): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET skips_codes = ${skips} WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

/** Keeps a secret that is still to be confirmed; one that was confirmed is not replaced: false. */
export async function saveTotp(db: ProjectDb, userId: string, sealed: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_user_secrets SET totp_secret = ${sealed}, totp_step = 0
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND NOT totp_confirmed RETURNING true`);
  return rows.length === 1;
}

export async function confirmTotp(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET totp_confirmed = true WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

export async function removeTotp(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    WITH codes AS (DELETE FROM cell.recovery_codes WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid)
    UPDATE cell.app_user_secrets SET totp_secret = NULL, totp_confirmed = false, totp_step = 0
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

/** Takes a code of the authenticator app: none of the same or an earlier moment is taken after it. */
export async function takeTotpStep(db: ProjectDb, userId: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_user_secrets SET totp_step = ${step}
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND totp_step < ${step} RETURNING true`);
  return rows.length === 1;
}

export async function replaceRecoveryCodes(
  db: ProjectDb,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.recovery_codes WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
  await db.query(sql`
    INSERT INTO cell.recovery_codes (project_id, user_id, code_hash)
    SELECT ${db.scope}, ${userId}::uuid, hash FROM unnest(${hashes}::bytea[]) AS hash`);
}

export async function takeRecoveryCode(db: ProjectDb, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.recovery_codes
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND code_hash = ${hash} RETURNING true`);
  return rows.length === 1;
}

/** Secrets of authenticator apps of a whole cell, in pages. */
export async function listSealed(
  pool: Pool,
  after: { project: string; user: string },
): Promise<{ project: string; user: string; sealed: Buffer }[]> {
  return run(
    pool,
    sql`SELECT project_id AS project, user_id AS user, totp_secret AS sealed FROM cell.app_user_secrets
      WHERE (project_id, user_id) > (${after.project}::bigint, ${after.user}::uuid) AND totp_secret IS NOT NULL
      ORDER BY project_id, user_id LIMIT 1000`,
  );
}

export async function replaceSealed(
  pool: Pool,
  { project, user, from, to }: { project: string; user: string; from: Buffer; to: Buffer },
): Promise<number> {
  const rows = await run(
    pool,
    sql`UPDATE cell.app_user_secrets SET totp_secret = ${to}
      WHERE project_id = ${project}::bigint AND user_id = ${user}::uuid AND totp_secret = ${from} RETURNING true`,
  );
  return rows.length;
}
