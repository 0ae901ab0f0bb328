import { defineError } from '../../../platform/errors.ts';

export const alreadyVerified = defineError(
  'already_verified',
  () => 'This email address is already verified. You do not need to do anything.',
);
export const tooManyMails = defineError('rate_limited', () => ({
  message: 'Several of these emails were sent within the last hour. Check the inbox, or try again later.',
  headers: { 'Retry-After': '600' },
}));
