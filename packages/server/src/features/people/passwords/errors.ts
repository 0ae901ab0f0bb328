import { defineError } from '../../../platform/errors.ts';

export const wrongPassword = defineError('wrong_password', () => 'The current password is not right.');
export const weakPassword = defineError(
  'weak_password',
  () => 'This password is among the first that anybody would try. Choose another.',
);
export const signInAgain = defineError(
  'sign_in_again',
  () =>
    'This changes how the account is signed in to. Send the current password, or sign in again and repeat it within 15 minutes.',
);
export const invalidPasswordHash = defineError(
  'invalid_password_hash',
  (reason: string) =>
    `This password hash cannot be taken. ${reason} Taken are Argon2id ("$argon2id$v=19$m=…,t=…,p=…$…"), bcrypt ("$2a$…", "$2b$…", "$2y$…") and {"algorithm": "firebase-scrypt", "hash", "salt", "signerKey", "saltSeparator", "rounds", "memCost"}. Without a hash the user sets a password by mail.`,
);
