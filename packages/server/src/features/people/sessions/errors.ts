import { defineError } from '../../../platform/errors.ts';

export const invalidLogin = defineError('invalid_login', () => 'E-mail or password is wrong.');
export const sessionNotFound = defineError(
  'session_not_found',
  (id: string) => `You have no sign-in "${id.slice(0, 100)}". List them: GET /auth-collections/sessions.`,
);
export const noSuchSession = defineError(
  'session_not_found',
  (id: string) =>
    `The user has no sign-in "${id.slice(0, 100)}"; it may have ended. List them: GET /auth-collections/users/{id}/sessions.`,
);
export const sessionEnded = defineError(
  'invalid_credentials',
  () => 'This sign-in has ended. Sign in again.',
);
export const refreshNeedsToken = defineError(
  'credential_required',
  () =>
    'Send the refresh token of the sign-in as {"refresh_token": "plr_…"}, or a token that has not expired as "Authorization: Bearer <access_token>".',
);
export const invalidRefreshToken = defineError(
  'invalid_refresh_token',
  () => 'This refresh token has expired, or its sign-in has ended. Sign in again.',
);
export const refreshTokenReused = defineError(
  'refresh_token_reused',
  () =>
    'This refresh token was used before, so somebody else may have it: the sign-in has ended, with all of its tokens. Sign in again.',
);
export const alreadyRefreshed = defineError(
  'already_refreshed',
  () =>
    'This refresh token was used a moment ago, perhaps in another tab. Go on with the tokens that call was given; the sign-in has not ended.',
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
  headers: { 'Retry-After': '1' },
}));
