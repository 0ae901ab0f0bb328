import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sha256 } from '../../platform/secrets.ts';
import { replaceRecoveryCodes, takeRecoveryCode } from './factor-store.ts';
import { newRecoveryCode, readRecoveryCode } from './secrets.ts';

const count = 10;

/** New recovery codes in the place of all before; they are given here and never again. */
export async function giveRecoveryCodes(db: ProjectDb, userId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newRecoveryCode);
  await replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOf(userId, code)),
  );
  return codes;
}

/** Whether this is one of the user's recovery codes. It is then used up. */
export async function isRecoveryCode(db: ProjectDb, userId: string, code: string): Promise<boolean> {
  return takeRecoveryCode(db, userId, hashOf(userId, readRecoveryCode(code)));
}

const hashOf = (userId: string, code: string) => sha256(`recovery ${userId} ${code}`);
