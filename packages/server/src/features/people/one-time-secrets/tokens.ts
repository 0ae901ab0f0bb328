import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { findCredentials, lockUser } from '../user-records/index.ts';
import { findUserOfToken, insertToken, removeToken, type TokenPurpose } from './token-store.ts';

export interface NewToken {
  readonly token: string;
  readonly purpose: TokenPurpose;
  readonly userId: string;
  /** What it is good for: the address it was mailed to, or where a hosted sign-in returns to. */
  readonly boundTo: string;
  readonly lastsS: number;
  /** The mark of the password that was shown: the token is not kept if the user has another one by now. */
  readonly passwordMark?: Buffer;
}

export interface UsedToken {
  readonly userId: string;
  readonly boundTo: string;
}

/** 256 random bits, as they travel in links and challenges. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Tells one password from the next where not even its hash may be kept. */
export function passwordMarkOf(passwordHash: string | null): Buffer {
  return sha256(passwordHash ?? '');
}

/** Keeps the hash of a token. False: the user is gone, or the password is not the one that was shown any more. */
export async function keepToken(db: ProjectDb, { token, ...rest }: NewToken): Promise<boolean> {
  return db.transaction(async (db) => {
    // A user who is being deleted could be gone when the token is inserted.
    const credentials = (await lockUser(db, rest.userId)) && (await findCredentials(db, rest.userId));
    if (!credentials) return false;
    const passwordMark = passwordMarkOf(credentials.passwordHash);
    if (rest.passwordMark && !rest.passwordMark.equals(passwordMark)) return false;
    return insertToken(db, { ...rest, hash: sha256(token), passwordMark });
  });
}

/**
 * Uses a token up. It works only with the password it was made with, and a mailed one only while the address is still the
 * user's. To keep one that is refused, call it in a transaction that fails then, with the user's ways to sign in locked.
 */
export async function takeToken(
  db: ProjectDb,
  token: string,
  purpose: TokenPurpose,
): Promise<UsedToken | undefined> {
  const taken = await removeToken(db, sha256(token), purpose);
  const owner = taken && (await findCredentials(db, taken.userId));
  if (!owner) return undefined;
  const { userId, boundTo, passwordMark } = taken;
  const isAddressSame = purpose === 'sign-in' || boundTo === owner.emailKey;
  const isPasswordSame =
    purpose === 'verification' || passwordMark.equals(passwordMarkOf(owner.passwordHash));
  return isAddressSame && isPasswordSame ? { userId, boundTo } : undefined;
}

/** The user of a token that has not expired; nothing is used up. */
export async function findTokenOwner(
  db: ProjectDb,
  token: string,
  purpose: TokenPurpose,
): Promise<string | undefined> {
  return findUserOfToken(db, sha256(token), purpose);
}
