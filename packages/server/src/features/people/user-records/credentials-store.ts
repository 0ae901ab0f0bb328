import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** What a user signs in with. */
export interface Credentials {
  readonly emailKey: string;
  /** Null: the user has no password. */
  readonly passwordHash: string | null;
}

export async function findCredentials(db: ProjectDb, userId: string): Promise<Credentials | undefined> {
  const [row] = await db.query<Credentials & Record<string, unknown>>(sql`
    SELECT own.email_key AS "emailKey", secrets.password_hash AS "passwordHash"
    FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
      ON secrets.project_id = own.project_id AND secrets.user_id = own.id
    WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid`);
  return row;
}

/** Marks a user's address as verified, if the user still has that address. */
export async function markEmailVerified(db: ProjectDb, userId: string, emailKey: string): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_users SET email_verified = true,
      updated_at = greatest(updated_at + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE project_id = ${db.scope} AND id = ${userId}::uuid AND email_key = ${emailKey} RETURNING true`);
  return rows.length === 1;
}

/** What a user's second step is. */
export interface Factors {
  readonly skipsCodes: boolean;
  readonly totpSecret: Buffer | null;
  readonly isTotpConfirmed: boolean;
}

export async function findFactors(db: ProjectDb, userId: string): Promise<Factors | undefined> {
  const [row] = await db.query<Factors & Record<string, unknown>>(
    sql`SELECT skips_codes AS "skipsCodes", totp_secret AS "totpSecret", totp_confirmed AS "isTotpConfirmed"
      FROM cell.app_user_secrets WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`,
    'app-users.find-factors',
  );
  return row;
}

export async function setSkipsCodes(db: ProjectDb, userId: string, skips: boolean): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET skips_codes = ${skips} WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

/** Keeps a secret that is yet to be confirmed. False: there is a confirmed one, which is not replaced. */
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

export async function clearTotp(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET totp_secret = NULL, totp_confirmed = false, totp_step = 0
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}

/** Takes the code of a time step. False: a code of this step or a later one was taken before. */
export async function takeTotpStep(db: ProjectDb, userId: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_user_secrets SET totp_step = ${step}
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND totp_step < ${step} RETURNING true`);
  return rows.length === 1;
}
