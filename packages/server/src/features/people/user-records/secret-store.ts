import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { userGone } from './errors.ts';
import type { SignIn } from './user-record.ts';
import { toUser, type UserRow, userColumns } from './user-store.ts';

/** The user of an e-mail address and the password hash, read at once: an unknown address takes no less time. */
export async function findSignInByEmail(db: ProjectDb, emailKey: string): Promise<SignIn | undefined> {
  const [row] = await db.query<UserRow & { passwordHash: string | null }>(
    sql`SELECT ${userColumns}, secrets.password_hash AS "passwordHash"
      FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
        ON secrets.project_id = own.project_id AND secrets.user_id = own.id
      WHERE own.project_id = ${db.scope} AND own.email_key = ${emailKey}`,
    'app-users.find-sign-in',
  );
  if (!row) return undefined;
  const { passwordHash, ...user } = row;
  return { user: toUser(user), passwordHash, method: 'password' };
}

/** The hash of the user's password; null: the user has none; undefined: there is no such user. */
export async function findPasswordHash(db: ProjectDb, id: string): Promise<string | null | undefined> {
  const [row] = await db.query<{ hash: string | null }>(sql`
    SELECT password_hash AS hash FROM cell.app_user_secrets WHERE project_id = ${db.scope} AND user_id = ${id}::uuid`);
  return row?.hash;
}

export async function savePassword(db: ProjectDb, id: string, passwordHash: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.app_user_secrets SET password_hash = ${passwordHash}
    WHERE project_id = ${db.scope} AND user_id = ${id}::uuid`);
}

/** Sets a password in the place of the one that was checked. False: it was changed meanwhile. */
export async function replacePassword(
  db: ProjectDb,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_user_secrets SET password_hash = ${to}
    WHERE project_id = ${db.scope} AND user_id = ${id}::uuid AND password_hash = ${from} RETURNING true`);
  return rows.length === 1;
}

/**
 * Keeps anybody else from changing how a user signs in until the end of the transaction, and says whether the user has a
 * password. Fails if the user was deleted meanwhile.
 */
export async function lockSignInMethods(db: ProjectDb, userId: string): Promise<{ hasPassword: boolean }> {
  const [row] = await db.query<{ hasPassword: boolean }>(sql`
    SELECT secrets.password_hash IS NOT NULL AS "hasPassword"
    FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
      ON secrets.project_id = own.project_id AND secrets.user_id = own.id
    WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid FOR NO KEY UPDATE`);
  if (!row) throw userGone();
  return row;
}

/**
 * Keeps a user as they were when they showed who they are, until the end of the transaction. False: since then the
 * password was changed, or the user suspended or removed.
 */
export async function lockAsProven(
  db: ProjectDb,
  { userId, passwordHash }: { readonly userId: string; readonly passwordHash: string | null },
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT true FROM cell.app_users AS own JOIN cell.app_user_secrets AS secrets
        ON secrets.project_id = own.project_id AND secrets.user_id = own.id
      WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid AND NOT own.is_suspended
        AND secrets.password_hash IS NOT DISTINCT FROM ${passwordHash}::text
      FOR SHARE OF own, secrets`,
    'app-users.lock-as-proven',
  );
  return rows.length === 1;
}

/** What the authenticator app of one user shares with the service cannot be opened as that of another. */
export const authenticatorPlace = (userId: string): string => `authenticator of user ${userId}`;
