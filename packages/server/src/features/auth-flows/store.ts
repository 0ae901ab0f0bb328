import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

type Purpose = 'verification' | 'reset' | 'sign-in';

/** What a password is compared by where the password itself must not be kept: SHA-256 of its hash. */
const currentMark = sql`sha256(convert_to(coalesce(secrets.password_hash, ''), 'UTF8'))`;

export interface NewToken {
  readonly hash: Buffer;
  readonly purpose: Purpose;
  readonly userId: string;
  readonly boundTo: string;
  readonly lastsS: number;
  /** The password that was shown, in a mark: the token is not kept if it is another by now. */
  readonly passwordMark?: Buffer;
}

/** Keeps a token for as long as the password of now is the user's; false if it is not. */
export async function insertToken(db: ProjectDb, token: NewToken): Promise<boolean> {
  const rows = await db.query(sql`
    INSERT INTO cell.one_time_tokens (project_id, token_hash, purpose, user_id, bound_to, password_mark, expires_at)
    SELECT secrets.project_id, ${token.hash}, ${token.purpose}, secrets.user_id, ${token.boundTo}, ${currentMark},
      now() + ${token.lastsS} * interval '1 second'
    FROM cell.app_user_secrets AS secrets
    WHERE secrets.project_id = ${db.scope} AND secrets.user_id = ${token.userId}::uuid
      AND coalesce(${token.passwordMark ?? null}::bytea, ${currentMark}) = ${currentMark}
    ON CONFLICT (project_id, token_hash) DO NOTHING RETURNING true`);
  return rows.length === 1;
}

export interface UsedToken {
  readonly userId: string;
  readonly boundTo: string;
}

/**
 * Uses a token up: of many calls at once exactly one gets it. It is good only with the password it was made with, and one
 * that was mailed only while the address is still the user's.
 */
export async function takeToken(
  db: ProjectDb,
  hash: Buffer,
  purpose: Purpose,
): Promise<UsedToken | undefined> {
  const [row] = await db.query<UsedToken & Record<string, unknown>>(sql`
    DELETE FROM cell.one_time_tokens AS token USING cell.app_user_secrets AS secrets, cell.app_users AS own
    WHERE token.project_id = ${db.scope} AND token.token_hash = ${hash} AND token.purpose = ${purpose}
      AND token.expires_at > now() AND secrets.project_id = token.project_id AND secrets.user_id = token.user_id
      AND own.project_id = token.project_id AND own.id = token.user_id
      AND (token.purpose = 'sign-in' OR token.bound_to = own.email_key)
      AND (token.purpose = 'verification' OR token.password_mark = ${currentMark})
    RETURNING token.user_id AS "userId", token.bound_to AS "boundTo"`);
  return row;
}

/** Whose a token is that has not expired; nothing is used up. */
export async function findOwner(db: ProjectDb, hash: Buffer, purpose: Purpose): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    SELECT user_id AS id FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND token_hash = ${hash} AND purpose = ${purpose} AND expires_at > now()`);
  return row?.id;
}

export async function removeTokensOf(db: ProjectDb, userId: string, purpose: Purpose): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = ${purpose}`);
}

/** How many tokens of a kind a user was sent within the hour and has not used. */
export async function countRecentTokens(db: ProjectDb, userId: string, purpose: Purpose): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM cell.one_time_tokens
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = ${purpose}
      AND created_at > now() - interval '1 hour'`);
  return Number(row!.count);
}

/** Verifies a user's address, if it is still the one the token was sent to. */
export async function markVerified(db: ProjectDb, userId: string, emailKey: string): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.app_users SET email_verified = true,
      updated_at = greatest(updated_at + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE project_id = ${db.scope} AND id = ${userId}::uuid AND email_key = ${emailKey} RETURNING true`);
  return rows.length === 1;
}

const keptDevices = 50;

async function forgetOldestDevices(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND mark IN (
      SELECT mark FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid
      ORDER BY seen_at DESC OFFSET ${keptDevices})`);
}

/** Notes where a user signs in from; returns which of the marks are new, and whether there were others before. */
export async function noteDevices(
  db: ProjectDb,
  userId: string,
  marks: readonly Buffer[],
): Promise<{ isFirst: boolean; isNew: boolean }> {
  const [row] = await db.query<{ before: string; added: string }>(sql`
    WITH before AS (
      SELECT count(*) AS count FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid
    ), noted AS (
      INSERT INTO cell.known_devices AS known (project_id, user_id, mark)
      SELECT ${db.scope}, ${userId}::uuid, mark FROM unnest(${marks}::bytea[]) AS mark
      ON CONFLICT (project_id, user_id, mark) DO UPDATE SET seen_at = now()
        WHERE known.seen_at < now() - interval '1 day'
      RETURNING xmax = 0 AS is_new
    )
    SELECT (SELECT count FROM before) AS before, (SELECT count(*) FROM noted WHERE is_new) AS added`);
  if (Number(row!.before) > keptDevices) await forgetOldestDevices(db, userId);
  return { isFirst: row!.before === '0', isNew: row!.added !== '0' };
}
