import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export type TokenPurpose = 'verification' | 'reset' | 'sign-in';

export interface StoredToken {
  readonly hash: Buffer;
  readonly purpose: TokenPurpose;
  readonly userId: string;
  /** What it is good for: the address it was mailed to, or where a hosted sign-in returns to. */
  readonly boundTo: string;
  /** Tells whether the password is still the one of that moment. */
  readonly passwordMark: Buffer;
  readonly lastsS: number;
}

/** False: there is such a token already. */
export async function insertToken(db: ProjectDb, token: StoredToken): Promise<boolean> {
  const rows = await db.query(sql`
    INSERT INTO cell.one_time_tokens (project_id, token_hash, purpose, user_id, bound_to, password_mark, expires_at)
    VALUES (${db.scope}, ${token.hash}, ${token.purpose}, ${token.userId}::uuid, ${token.boundTo}, ${token.passwordMark},
      now() + ${token.lastsS} * interval '1 second')
    ON CONFLICT (project_id, token_hash) DO NOTHING RETURNING true`);
  return rows.length === 1;
}

type TakenToken = Pick<StoredToken, 'userId' | 'boundTo' | 'passwordMark'>;

/** Removes a token that has not expired and returns it: of many calls at once, exactly one gets it. */
export async function removeToken(
  db: ProjectDb,
  hash: Buffer,
  purpose: TokenPurpose,
): Promise<TakenToken | undefined> {
  const [row] = await db.query<TakenToken & Record<string, unknown>>(sql`
    DELETE FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND token_hash = ${hash} AND purpose = ${purpose} AND expires_at > now()
    RETURNING user_id AS "userId", bound_to AS "boundTo", password_mark AS "passwordMark"`);
  return row;
}

/** The user of a token that has not expired. */
export async function findUserOfToken(
  db: ProjectDb,
  hash: Buffer,
  purpose: TokenPurpose,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    SELECT user_id AS id FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND token_hash = ${hash} AND purpose = ${purpose} AND expires_at > now()`);
  return row?.id;
}

export async function removeTokensOf(db: ProjectDb, userId: string, purpose: TokenPurpose): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = ${purpose}`);
}

/** How many tokens of a kind a user was sent within the hour and has not used. */
export async function countRecentTokens(
  db: ProjectDb,
  userId: string,
  purpose: TokenPurpose,
): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = ${purpose}
      AND created_at > now() - interval '1 hour'`);
  return Number(row?.count ?? 0);
}
