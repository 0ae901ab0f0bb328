import { randomInt } from 'node:crypto';

/** How long a code works after it was sent. */
export const codeMinutes = 10;

/** A code of so many digits, each equally likely. */
export function newCode(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
