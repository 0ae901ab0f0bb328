import { defineError } from '../../../platform/errors.ts';

export const invalidLogin = defineError('invalid_login', () => 'E-mail or password is wrong.');
export const sessionNotFound = defineError(
  'session_not_found',
  (id: string) => `You have no sign-in "${id.slice(0, 100)}". List them: GET /auth-collections/sessions.`,
);
export const sessionEnded = defineError(
  'invalid_credentials',
  () => 'This sign-in has ended. Sign in again.',
);
export const userSuspended = defineError(
  'user_suspended',
  () => 'This account is suspended. Ask whoever runs the app.',
);
export const tooManyTries = defineError('rate_limited', (retryAfterS: number) => ({
  message: `Too many tries. Go on in ${retryAfterS} s.`,
  headers: { 'Retry-After': String(retryAfterS) },
}));

export const countersAway = defineError('engine_unavailable', () => ({
  message: 'Sign-in is not possible just now. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));
