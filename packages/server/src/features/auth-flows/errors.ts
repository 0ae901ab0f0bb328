import { defineError } from '../../platform/errors.ts';

export const invalidToken = defineError(
  'invalid_token',
  () =>
    'This link is not good any more: it was used, is past its time, or does not belong to the account any more. Ask for a new one.',
);
export const invalidCode = defineError(
  'invalid_code',
  () => 'The code is wrong or past its time. Check it, or ask for a new one.',
);
export const invalidChallenge = defineError(
  'invalid_challenge',
  () =>
    'This sign-in is not good any more: it was completed, is past its time, or had too many wrong codes. Log in again.',
);
export const tooManyCodes = defineError('too_many_codes', () => ({
  message: 'Too many codes were sent to this account without one being used. Try again tomorrow.',
  headers: { 'Retry-After': '3600' },
}));
export const tooManyMails = defineError('rate_limited', () => ({
  message: 'Several such mails were sent within the hour. Look into the mailbox, or try again later.',
  headers: { 'Retry-After': '600' },
}));
export const flowOff = defineError(
  'flow_disabled',
  (what: string, key: string) =>
    `${what} is switched off in this project. Whoever runs the app can allow it: ${key}.`,
);
export const alreadyVerified = defineError(
  'already_verified',
  () => 'This e-mail address is verified already. Nothing is to be done.',
);
export const noAuthenticator = defineError(
  'no_authenticator',
  () => 'There is no authenticator app to confirm or remove. Set one up first: POST 2fa/totp/setup.',
);
export const authenticatorSetUp = defineError(
  'authenticator_set_up',
  () => 'An authenticator app is in force already. Remove it first: POST 2fa/totp/remove.',
);
