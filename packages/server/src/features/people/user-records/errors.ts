import { defineError } from '../../../platform/errors.ts';

export const emailTaken = defineError(
  'email_taken',
  () => 'This e-mail address already has an account. Log in, or use another address.',
);
export const phoneTaken = defineError(
  'phone_taken',
  () => 'This phone number already signs another account in. Use another number.',
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
  () => 'The query took too long. Narrow it, or ask for no exact count (Prefer: count=none).',
);
