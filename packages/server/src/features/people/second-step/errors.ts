import { defineError } from '../../../platform/errors.ts';

export const invalidChallenge = defineError(
  'invalid_challenge',
  () =>
    'This sign-in is no longer valid: it was completed, has expired, or had too many wrong codes. Sign in again.',
);
export const noAuthenticator = defineError(
  'no_authenticator',
  () => 'There is no authenticator app to confirm or remove. Set one up first: POST 2fa/totp/setup.',
);
export const authenticatorSetUp = defineError(
  'authenticator_set_up',
  () => 'An authenticator app is already set up. Remove it first: POST 2fa/totp/remove.',
);
