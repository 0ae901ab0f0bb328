import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

/** How a provider calls a person. */
export interface IdentityKey {
  readonly provider: string;
  readonly subject: string;
}

export interface Identity {
  readonly provider: string;
  readonly email: string;
  readonly createdAt: Date;
}

export interface BegunLogin {
  readonly provider: string;
  readonly redirectUri: string;
  readonly usesPkce: boolean;
}

export async function insertState(db: ProjectDb, hash: Buffer, login: BegunLogin): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.oauth_states (project_id, state_hash, provider, redirect_uri, uses_pkce, expires_at)
    VALUES (${db.scope}, ${hash}, ${login.provider}, ${login.redirectUri}, ${login.usesPkce},
      now() + interval '10 minutes')`);
}

/** Takes the login that was begun with a state; nobody else gets it from then on. */
export async function takeState(db: ProjectDb, hash: Buffer): Promise<BegunLogin | undefined> {
  const [row] = await db.query<BegunLogin & { isCurrent: boolean }>(sql`
    DELETE FROM cell.oauth_states WHERE project_id = ${db.scope} AND state_hash = ${hash}
    RETURNING provider, redirect_uri AS "redirectUri", uses_pkce AS "usesPkce", expires_at > now() AS "isCurrent"`);
  return row?.isCurrent ? row : undefined;
}

/** Takes a code for this call alone. False: it was used before. */
export async function claimCode(db: ProjectDb, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    INSERT INTO cell.used_oauth_codes (project_id, code_hash, expires_at)
    VALUES (${db.scope}, ${hash}, now() + interval '10 minutes') ON CONFLICT DO NOTHING RETURNING true`);
  return rows.length === 1;
}

/** Lets logins of one person wait for each other until the end of the transaction, so that the first makes the account. */
export async function lockIdentity(db: ProjectDb, { provider, subject }: IdentityKey): Promise<void> {
  await db.query(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'identity', ${db.scope}::text, ${provider}::text, ${subject}::text), 0))`);
}

/**
 * The id of the user whom the identity signs in. An identity that the provider did not vouch for stops doing so once the
 * account has a password: setting one took the mailbox, and the two may be different people.
 */
export async function findUserOf(
  db: ProjectDb,
  { provider, subject }: IdentityKey,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    sql`SELECT own.user_id AS id FROM cell.identities AS own JOIN cell.app_user_secrets AS secrets
        ON secrets.project_id = own.project_id AND secrets.user_id = own.user_id
      WHERE own.project_id = ${db.scope} AND own.provider = ${provider} AND own.subject = ${subject}
        AND (own.is_vouched OR secrets.password_hash IS NULL)`,
    'identities.find-user',
  );
  return row?.id;
}

export interface NewIdentity extends IdentityKey {
  readonly userId: string;
  readonly email: string;
}

/** Connects an identity to the account that was made for it. */
export async function insertIdentity(
  db: ProjectDb,
  { provider, subject, userId, email }: NewIdentity,
  isVouched: boolean,
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.identities (project_id, provider, subject, user_id, email, is_vouched)
    VALUES (${db.scope}, ${provider}, ${subject}, ${userId}, ${email}, ${isVouched})
    ON CONFLICT (project_id, provider, subject) DO UPDATE
      SET user_id = excluded.user_id, email = excluded.email, is_vouched = excluded.is_vouched`);
}

/** Connects an identity whose address the provider vouches for to an account. False: the account has not verified it. */
export async function joinAccount(
  db: ProjectDb,
  { provider, subject, userId, email }: NewIdentity,
  emailKey: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    WITH account AS (
      SELECT own.id FROM cell.app_users AS own
      WHERE own.project_id = ${db.scope} AND own.id = ${userId}::uuid AND own.email_key = ${emailKey} AND own.email_verified
      FOR SHARE)
    INSERT INTO cell.identities (project_id, provider, subject, user_id, email, is_vouched)
    SELECT ${db.scope}, ${provider}, ${subject}, id, ${email}, true FROM account
    ON CONFLICT (project_id, provider, subject) DO UPDATE
      SET user_id = excluded.user_id, email = excluded.email, is_vouched = true
    RETURNING true`);
  return rows.length === 1;
}

export async function listIdentities(db: ProjectDb, userId: string): Promise<Identity[]> {
  return db.query<Identity>(sql`
    SELECT provider, email, created_at AS "createdAt" FROM cell.identities
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid ORDER BY created_at, provider, subject`);
}

export async function hasAnyIdentity(db: ProjectDb, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    SELECT FROM cell.identities WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid LIMIT 1`);
  return rows.length === 1;
}

/** Removes what a user is at one provider. False: it is nobody there. */
export async function removeIdentities(db: ProjectDb, userId: string, provider: string): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.identities
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND provider = ${provider} RETURNING true`);
  return rows.length > 0;
}

export async function removeAllIdentities(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.identities WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid`);
}
