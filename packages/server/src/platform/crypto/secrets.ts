import { hash, randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random lower-case letters and digits, each equally likely. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 252 is the largest multiple of 36 that a byte can hold; higher values would favour the first letters.
      if (byte < 252 && text.length < length) text += alphabet.charAt(byte % 36);
    }
  }
  return text;
}

/** A project's ref: 12 letters and digits. */
export const newProjectRef = (): string => randomText(12);

/** An API key; the prefix lets scanners find leaked ones. 43 characters are 222 random bits. */
export const newApiKey = (): string => `plk_${randomText(43)}`;

export const isApiKey = (text: string): boolean => text.startsWith('plk_');

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** A personal access token of an account. */
export const newPersonalToken = (): string => `plt_${randomText(43)}`;
