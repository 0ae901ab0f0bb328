import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

export type CodePurpose = 'second-step' | 'phone-login' | 'phone-verify' | 'factor';

const triesPerCode = 5;
/** With five tries each, a code of four digits is guessed in at most one of two hundred days. */
const unusedCodesPerDay = 10;
/** A number gets so many a day, whoever asks: messages cost money. */
const codesPerNumber = 20;

export interface NewCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  /** Whose tries it bounds. */
  readonly account: string;
  readonly userId: string;
  readonly phone?: string;
  readonly challengeHash?: Buffer;
  /** Absent where an authenticator app makes the codes. */
  readonly codeMark?: Buffer;
  readonly passwordMark?: Buffer;
  readonly method?: string;
  readonly lastsS: number;
}

/**
 * Keeps a code, unless the account has had too many within a day that were not used: then false. The caller holds a lock
 * on the user (`lockLoginWays`), or two calls could count the same.
 */
export async function insertCode(db: ProjectDb, code: NewCode): Promise<boolean> {
  const rows = await db.query(sql`
    INSERT INTO cell.one_time_codes (project_id, id, purpose, account, user_id, phone, challenge_hash, code_mark,
      password_mark, method, tries_left, expires_at)
    SELECT ${db.scope}, ${code.id}::uuid, ${code.purpose}, ${code.account}, ${code.userId}::uuid, ${code.phone ?? null},
      ${code.challengeHash ?? null}::bytea, ${code.codeMark ?? null}::bytea, ${code.passwordMark ?? null}::bytea,
      ${code.method ?? null}, ${triesPerCode}, now() + ${code.lastsS} * interval '1 second'
    WHERE (
      SELECT count(*) FROM cell.one_time_codes WHERE project_id = ${db.scope} AND purpose = ${code.purpose}
        AND account = ${code.account} AND created_at > now() - interval '24 hours' AND used_at IS NULL
    ) < ${unusedCodesPerDay} AND (${code.phone ?? null}::text IS NULL OR (
      SELECT count(*) FROM cell.one_time_codes WHERE project_id = ${db.scope} AND phone = ${code.phone ?? null}
        AND created_at > now() - interval '24 hours'
    ) < ${codesPerNumber})
    ON CONFLICT (project_id, id) DO NOTHING
    RETURNING true`);
  return rows.length === 1;
}

/** Ends the codes of this kind that the account was given before this one: only the newest is good. */
export async function endCodesBefore(
  db: ProjectDb,
  { id, purpose, account }: Pick<NewCode, 'id' | 'purpose' | 'account'>,
): Promise<void> {
  await db.query(sql`
    UPDATE cell.one_time_codes SET tries_left = 0
    WHERE project_id = ${db.scope} AND purpose = ${purpose} AND account = ${account} AND id <> ${id}::uuid
      AND used_at IS NULL AND expires_at > now()`);
}

export interface Try {
  readonly isRight: boolean;
  readonly userId: string;
  readonly phone: string | null;
  /** False: an authenticator app makes the codes. */
  readonly hasCode: boolean;
}

/**
 * Takes one try of the code, and uses it up if it is right: one statement, so that of many calls at once one succeeds and
 * no more than five are looked at. Undefined: there is no such code any more.
 */
export async function takeTry(
  db: ProjectDb,
  which: { purpose: CodePurpose; challengeHash: Buffer } | { purpose: CodePurpose; account: string },
  marks: readonly Buffer[],
): Promise<Try | undefined> {
  const of =
    'account' in which
      ? sql`account = ${which.account} AND challenge_hash IS NULL`
      : sql`challenge_hash = ${which.challengeHash}`;
  const [row] = await db.query<Try & Record<string, unknown>>(sql`
    UPDATE cell.one_time_codes SET tries_left = tries_left - 1,
      used_at = CASE WHEN code_mark = ANY (${marks}::bytea[]) THEN now() END
    WHERE project_id = ${db.scope} AND purpose = ${which.purpose} AND ${of} AND used_at IS NULL AND tries_left > 0
      AND expires_at > now()
    RETURNING used_at IS NOT NULL AS "isRight", user_id AS "userId", phone, code_mark IS NOT NULL AS "hasCode"`);
  return row;
}

/** Notes that a code was right that was found so elsewhere: it does not count as a wrong try. */
export async function useCode(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.one_time_codes SET used_at = now() WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

/** Uses a challenge up whose code was found right elsewhere. */
export async function takeChallenge(db: ProjectDb, challengeHash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.one_time_codes SET used_at = now()
    WHERE project_id = ${db.scope} AND purpose = 'second-step' AND challenge_hash = ${challengeHash} AND used_at IS NULL
      AND expires_at > now() RETURNING true`);
  return rows.length === 1;
}

export interface OpenChallenge {
  readonly userId: string;
  readonly method: string;
  readonly hasCode: boolean;
  readonly passwordMark: Buffer;
}

/** A challenge that is still open. */
export async function findChallenge(
  db: ProjectDb,
  challengeHash: Buffer,
): Promise<OpenChallenge | undefined> {
  const [row] = await db.query<OpenChallenge & Record<string, unknown>>(sql`
    SELECT user_id AS "userId", method, code_mark IS NOT NULL AS "hasCode", password_mark AS "passwordMark"
    FROM cell.one_time_codes
    WHERE project_id = ${db.scope} AND purpose = 'second-step' AND challenge_hash = ${challengeHash} AND used_at IS NULL
      AND expires_at > now() ORDER BY created_at DESC LIMIT 1`);
  return row;
}

/** Ends the code of a challenge, to be followed by another. False: it was used meanwhile, or is past its time. */
export async function endChallenge(db: ProjectDb, challengeHash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.one_time_codes SET tries_left = 0, expires_at = now()
    WHERE project_id = ${db.scope} AND challenge_hash = ${challengeHash} AND used_at IS NULL AND expires_at > now()
    RETURNING true`);
  return rows.length > 0;
}

/** Forgets the mailed codes of a user's second steps. Tries of an authenticator app stay counted. */
export async function removeMailedCodes(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.one_time_codes
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = 'second-step'
      AND code_mark IS NOT NULL`);
}
