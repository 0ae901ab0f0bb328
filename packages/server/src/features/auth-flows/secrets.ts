import { randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, as they travel in links and challenges. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** So many digits, each equally likely. */
export function newCode(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A code to keep on paper: no letters that look alike. 79 random bits, so that a plain hash of it tells nothing. */
export function newRecoveryCode(): string {
  return inGroups(Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''));
}

/** A recovery code as it was meant, whatever the case and the dashes. */
export function readRecoveryCode(text: string): string {
  return inGroups(text.toLowerCase().replace(/[\s-]/g, ''));
}

const inGroups = (text: string) => text.replace(/(.{4})(?=.)/g, '$1-');
