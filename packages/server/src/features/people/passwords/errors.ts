import { defineError } from '../../../platform/errors.ts';

export const wrongPassword = defineError('wrong_password', () => 'The current password is wrong.');
export const weakPassword = defineError(
  'weak_password',
  () => 'This password is too common. Choose another one.',
);
export const signInAgain = defineError(
  'sign_in_again',
  () =>
    'This changes how you sign in to the account. Send the current password, or sign in again and retry within 15 minutes.',
);
export const invalidPasswordHash = defineError(
  'invalid_password_hash',
  (reason: string) =>
    `This password hash cannot be imported. ${reason} Supported are Argon2id ("$argon2id$v=19$m=…,t=…,p=…$…"), bcrypt ("$2a$…", "$2b$…", "$2y$…") and {"algorithm": "firebase-scrypt", "hash", "salt", "signerKey", "saltSeparator", "rounds", "memCost"}. Without a hash, the user sets a password by email.`,
);
