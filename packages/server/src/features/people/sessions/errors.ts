import { defineError } from '../../../platform/errors.ts';

export const invalidLogin = defineError('invalid_login', () => 'Wrong email or password.');
export const sessionNotFound = defineError(
  'session_not_found',
  (id: string) => `You have no session "${id.slice(0, 100)}". List them: GET /auth-collections/sessions.`,
);
export const noSuchSession = defineError(
  'session_not_found',
  (id: string) =>
    `The user has no session "${id.slice(0, 100)}"; it may have ended. List them: GET /auth-collections/users/{id}/sessions.`,
);
export const sessionEnded = defineError(
  'invalid_credentials',
  () => 'This session has ended. Sign in again.',
);
export const refreshNeedsToken = defineError(
  'credential_required',
  () =>
    'Send the refresh token of the session as {"refresh_token": "plr_…"}, or a token that has not expired as "Authorization: Bearer <access_token>".',
);
export const invalidRefreshToken = defineError(
  'invalid_refresh_token',
  () => 'This refresh token has expired, or its session has ended. Sign in again.',
);
export const refreshTokenReused = defineError(
  'refresh_token_reused',
  () =>
    'This refresh token was already used, so someone else may have it. The session has ended, and all its tokens are revoked. Sign in again.',
);
export const alreadyRefreshed = defineError(
  'already_refreshed',
  () =>
    'This refresh token was used a moment ago, perhaps in another tab. Continue with the tokens from that response; the session has not ended.',
);
export const userSuspended = defineError(
  'user_suspended',
  () => 'This account is suspended. Contact whoever runs the app.',
);
export const tooManyTries = defineError('rate_limited', (retryAfterS: number) => ({
  message: `Too many attempts. Try again in ${retryAfterS} s.`,
  headers: { 'Retry-After': String(retryAfterS) },
}));

export const countersAway = defineError('engine_unavailable', () => ({
  message: 'Sign-in is temporarily unavailable. Try again in a few seconds.',
  headers: { 'Retry-After': '1' },
}));
