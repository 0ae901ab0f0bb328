import { defineError } from '../../../platform/errors.ts';

export const invalidToken = defineError(
  'invalid_token',
  () =>
    'This link is not good any more: it was used, is past its time, or does not belong to the account any more. Ask for a new one.',
);
export const invalidCode = defineError(
  'invalid_code',
  () => 'The code is wrong or past its time. Check it, or ask for a new one.',
);
export const tooManyCodes = defineError('too_many_codes', () => ({
  message: 'Too many codes were sent to this account without one being used. Try again tomorrow.',
  headers: { 'Retry-After': '3600' },
}));
export const flowOff = defineError(
  'flow_disabled',
  (what: string, key: string) =>
    `${what} is switched off in this project. Whoever runs the app can allow it: ${key}.`,
);
