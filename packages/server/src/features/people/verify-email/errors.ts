import { defineError } from '../../../platform/errors.ts';

export const alreadyVerified = defineError(
  'already_verified',
  () => 'This e-mail address is verified already. Nothing is to be done.',
);
export const tooManyMails = defineError('rate_limited', () => ({
  message: 'Several such mails were sent within the hour. Look into the mailbox, or try again later.',
  headers: { 'Retry-After': '600' },
}));
