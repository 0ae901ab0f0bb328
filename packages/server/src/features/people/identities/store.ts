import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** What a provider calls a person. */
export interface IdentityKey {
  readonly provider: string;
  readonly subject: string;
}

export interface Identity {
  readonly provider: string;
  readonly email: string;
  readonly createdAt: Date;
}

export interface BegunSignIn {
  readonly provider: string;
  readonly redirectUri: string;
  readonly usesPkce: boolean;
}

export async function insertState(db: ProjectDb, hash: Buffer, begun: BegunSignIn): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.oauth_states (project_id, state_hash, provider, redirect_uri, uses_pkce, expires_at)
    VALUES (${db.scope}, ${hash}, ${begun.provider}, ${begun.redirectUri}, ${begun.usesPkce},
      now() + interval '10 minutes')`);
}

/** Takes the sign-in that was begun with a state; nobody else gets it from then on. */
export async function takeState(db: ProjectDb, hash: Buffer): Promise<BegunSignIn | undefined> {
  const [row] = await db.query<BegunSignIn & { isCurrent: boolean }>(sql`
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

/** Lets sign-ins of one person wait for each other until the end of the transaction, so that only one creates a user. */
export async function lockIdentity(db: ProjectDb, { provider, subject }: IdentityKey): Promise<void> {
  await db.query(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'identity', ${db.scope}::text, ${provider}::text, ${subject}::text), 0))`);
}

/** The user an identity is connected to; that user may have been deleted since. */
export async function findLink(
  db: ProjectDb,
  { provider, subject }: IdentityKey,
): Promise<{ userId: string; isVouched: boolean } | undefined> {
  const [row] = await db.query<{ userId: string; isVouched: boolean }>(
    sql`SELECT user_id AS "userId", is_vouched AS "isVouched" FROM cell.identities
      WHERE project_id = ${db.scope} AND provider = ${provider} AND subject = ${subject}`,
    'identities.find-link',
  );
  return row;
}

export interface NewIdentity extends IdentityKey {
  readonly userId: string;
  readonly email: string;
  /** Whether the provider vouches for the address. */
  readonly isVouched: boolean;
}

/** Connects an identity to a user. */
export async function insertIdentity(
  db: ProjectDb,
  { provider, subject, userId, email, isVouched }: NewIdentity,
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.identities (project_id, provider, subject, user_id, email, is_vouched)
    VALUES (${db.scope}, ${provider}, ${subject}, ${userId}, ${email}, ${isVouched})
    ON CONFLICT (project_id, provider, subject) DO UPDATE
      SET user_id = excluded.user_id, email = excluded.email, is_vouched = excluded.is_vouched`);
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

/** Disconnects a user from one provider. False: they were not connected. */
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
