import { defineError } from '../../../platform/errors.ts';

export const emailTaken = defineError(
  'email_taken',
  () => 'An account with this email address already exists. Sign in, or use another address.',
);
export const phoneTaken = defineError(
  'phone_taken',
  () => 'Another account already signs in with this phone number. Use another number.',
);
export const userNotFound = defineError(
  'user_not_found',
  (id: string) => `There is no app user "${id.slice(0, 100)}".`,
);

export const userGone = defineError(
  'invalid_credentials',
  () => 'This account was deleted. Sign up again, or sign in with another one.',
);

export const usersTooSlow = defineError(
  'query_too_slow',
  () => 'The query took too long. Narrow it, or skip the exact count (Prefer: count=none).',
);
