import type { Account } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A session ends when it was not used for 14 days, and after 30 days however much it is used. */
export const isOver = sql`(seen_at < now() - interval '14 days' OR signed_in_at < now() - interval '30 days')`;

export interface SessionRow {
  readonly id: string;
  readonly signedInAt: Date;
  readonly seenAt: Date;
  readonly account: Account;
}

/** The session of a cookie, as long as it lasts. */
export async function findSession(control: ControlDb, hash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await control.query<SessionRow & Record<string, unknown>>(
    sql`SELECT sessions.id, signed_in_at AS "signedInAt", seen_at AS "seenAt",
      jsonb_build_object('id', accounts.id, 'email', email, 'isVerified', is_verified) AS account
    FROM control.account_sessions AS sessions JOIN control.accounts ON accounts.id = account_id
    WHERE token_hash = ${hash} AND NOT ${isOver}`,
    'accounts.find-session',
  );
  return row;
}

interface NewSession {
  readonly id: string;
  readonly accountId: string;
  readonly hash: Buffer;
  readonly method: string;
  readonly device: string;
  readonly address: string;
}

/** Starts a session. The least used ones end if there are too many. */
export async function insertSession(control: ControlDb, session: NewSession, most: number): Promise<void> {
  await control.query(sql`
    INSERT INTO control.account_sessions (id, account_id, token_hash, method, device, address)
    VALUES (${session.id}::uuid, ${session.accountId}::uuid, ${session.hash}, ${session.method}, ${session.device},
      ${session.address})`);
  await control.query(sql`
    WITH ended AS (
      DELETE FROM control.account_sessions WHERE id IN (
        SELECT id FROM control.account_sessions WHERE account_id = ${session.accountId}::uuid
        ORDER BY seen_at DESC OFFSET ${most})
      RETURNING token_hash)
    SELECT control.tell('account-session:' || encode(token_hash, 'hex')) FROM ended`);
}

export interface ListedSession {
  readonly id: string;
  readonly method: string;
  readonly device: string;
  readonly address: string;
  readonly signedInAt: Date;
  readonly seenAt: Date;
}

export async function listSessions(control: ControlDb, accountId: string): Promise<ListedSession[]> {
  return control.query<ListedSession & Record<string, unknown>>(sql`
    SELECT id, method, device, address, signed_in_at AS "signedInAt", seen_at AS "seenAt"
    FROM control.account_sessions WHERE account_id = ${accountId}::uuid AND NOT ${isOver}
    ORDER BY seen_at DESC, id`);
}

/** Ends a session of an account. False: it has no such session. */
export async function endSession(control: ControlDb, accountId: string, id: string): Promise<boolean> {
  const ended = await control.query(sql`
    WITH ended AS (
      DELETE FROM control.account_sessions WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid
      RETURNING token_hash)
    SELECT control.tell('account-session:' || encode(token_hash, 'hex')) FROM ended`);
  return ended.length === 1;
}

/** Ends all sessions of an account. */
export async function endSessions(control: ControlDb, accountId: string): Promise<void> {
  await control.query(sql`
    WITH ended AS (
      DELETE FROM control.account_sessions WHERE account_id = ${accountId}::uuid RETURNING token_hash)
    SELECT control.tell('account-session:' || encode(token_hash, 'hex')) FROM ended`);
}

/** Notes that a session is in use. */
export async function touchSession(control: ControlDb, id: string): Promise<void> {
  await control.query(sql`UPDATE control.account_sessions SET seen_at = now() WHERE id = ${id}::uuid`);
}
