import { randomInt } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { removeRecoveryCode, replaceRecoveryCodes } from './store.ts';

const count = 10;

/** Replaces a user's recovery codes. The new ones can be read here and never again. */
export async function giveRecoveryCodes(db: ProjectDb, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOf(userId, code)),
  );
  return codes;
}

/** Uses up one of the user's recovery codes. False: this is none. */
export async function useRecoveryCode(db: ProjectDb, userId: string, code: string): Promise<boolean> {
  return removeRecoveryCode(db, userId, hashOf(userId, readRecoveryCode(code)));
}

/** Codes to keep on paper, for the day the authenticator app is lost. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newRecoveryCode);

const hashOf = (userId: string, code: string) => sha256(`recovery ${userId} ${code}`);

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A code to keep on paper: no letters that look alike. It has 79 random bits, so a plain hash of it gives nothing away. */
function newRecoveryCode(): string {
  return inGroups(Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''));
}

/** A recovery code as it was meant, whatever the case and the dashes. */
export function readRecoveryCode(text: string): string {
  return inGroups(text.toLowerCase().replace(/[\s-]/g, ''));
}

const inGroups = (text: string) => text.replace(/(.{4})(?=.)/g, '$1-');
