import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export type CodePurpose = 'second-step' | 'phone-login' | 'phone-verify' | 'factor';

const triesPerCode = 5;
/** With five tries each, somebody who guesses codes of four digits needs two hundred days on average. */
const unusedCodesPerDay = 10;
/** So many go to one number within a day, whoever asks: messages cost money. */
const codesPerNumber = 20;

export interface NewCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  /** Whose tries and codes it counts against: a user, or a phone number. */
  readonly countedFor: string;
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
 * Keeps a code. False: there were too many within a day that nobody used; those of phone logins are counted where they
 * are asked for. The caller has locked the user (`lockSignInMethods`), or two calls could count the same codes.
 */
export async function insertCode(db: ProjectDb, code: NewCode): Promise<boolean> {
  const rows = await db.query(sql`
    INSERT INTO cell.one_time_codes (project_id, id, purpose, account, user_id, phone, challenge_hash, code_mark,
      password_mark, method, tries_left, expires_at)
    SELECT ${db.scope}, ${code.id}::uuid, ${code.purpose}, ${code.countedFor}, ${code.userId}::uuid, ${code.phone ?? null},
      ${code.challengeHash ?? null}::bytea, ${code.codeMark ?? null}::bytea, ${code.passwordMark ?? null}::bytea,
      ${code.method ?? null}, ${triesPerCode}, now() + ${code.lastsS} * interval '1 second'
    WHERE ${code.purpose}::text = 'phone-login' OR (
      SELECT count(*) FROM cell.one_time_codes WHERE project_id = ${db.scope} AND purpose = ${code.purpose}
        AND account = ${code.countedFor} AND created_at > now() - interval '24 hours' AND used_at IS NULL
    ) < ${unusedCodesPerDay} AND (${code.phone ?? null}::text IS NULL OR (
      SELECT count(*) FROM cell.one_time_codes WHERE project_id = ${db.scope} AND phone = ${code.phone ?? null}
        AND created_at > now() - interval '24 hours'
    ) < ${codesPerNumber})
    ON CONFLICT (project_id, id) DO NOTHING
    RETURNING true`);
  return rows.length === 1;
}

/** Ends the codes of this kind that were given out before this one: only the newest works. */
export async function endCodesBefore(
  db: ProjectDb,
  { id, purpose, countedFor }: Pick<NewCode, 'id' | 'purpose' | 'countedFor'>,
): Promise<void> {
  await db.query(sql`
    UPDATE cell.one_time_codes SET tries_left = 0
    WHERE project_id = ${db.scope} AND purpose = ${purpose} AND account = ${countedFor} AND id <> ${id}::uuid
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
 * Counts a try against the code, and uses the code up if it is right. It is one statement, so that of many calls at once
 * only one succeeds and only five are looked at. Undefined: there is no such code any more.
 */
export async function takeTry(
  db: ProjectDb,
  which: { purpose: CodePurpose; challengeHash: Buffer } | { purpose: CodePurpose; countedFor: string },
  marks: readonly Buffer[],
): Promise<Try | undefined> {
  const of =
    'countedFor' in which
      ? sql`account = ${which.countedFor} AND challenge_hash IS NULL`
      : sql`challenge_hash = ${which.challengeHash}`;
  const [row] = await db.query<Try & Record<string, unknown>>(sql`
    UPDATE cell.one_time_codes SET tries_left = tries_left - 1,
      used_at = CASE WHEN code_mark = ANY (${marks}::bytea[]) THEN now() END
    WHERE project_id = ${db.scope} AND purpose = ${which.purpose} AND ${of} AND used_at IS NULL AND tries_left > 0
      AND expires_at > now()
    RETURNING used_at IS NOT NULL AS "isRight", user_id AS "userId", phone, code_mark IS NOT NULL AS "hasCode"`);
  return row;
}

/** Marks a code as used after it was found right elsewhere, so that it does not count as a wrong try. */
export async function useCode(db: ProjectDb, id: string): Promise<void> {
  await db.query(sql`
    UPDATE cell.one_time_codes SET used_at = now() WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

/** Uses up a challenge whose code was found right elsewhere. */
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

/** Ends the code of a challenge, for another to follow. False: it was used meanwhile, or has expired. */
export async function endChallenge(db: ProjectDb, challengeHash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE cell.one_time_codes SET tries_left = 0, expires_at = now()
    WHERE project_id = ${db.scope} AND challenge_hash = ${challengeHash} AND used_at IS NULL AND expires_at > now()
    RETURNING true`);
  return rows.length > 0;
}

/** Forgets the codes that were mailed for a user's second steps. Tries of an authenticator app stay counted. */
export async function removeMailedCodes(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.one_time_codes
    WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND purpose = 'second-step'
      AND code_mark IS NOT NULL`);
}
