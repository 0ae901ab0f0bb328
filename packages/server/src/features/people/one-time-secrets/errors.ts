import { defineError } from '../../../platform/errors.ts';

export const invalidToken = defineError(
  'invalid_token',
  () =>
    'This link is no longer valid: it was used, has expired, or no longer belongs to the account. Request a new one.',
);
export const invalidCode = defineError(
  'invalid_code',
  () => 'The code is wrong or has expired. Check it, or request a new one.',
);
export const tooManyCodes = defineError('too_many_codes', () => ({
  message: 'Too many codes were sent to this account and none was used. Try again tomorrow.',
  headers: { 'Retry-After': '3600' },
}));
export const flowOff = defineError(
  'flow_disabled',
  (what: string, key: string) =>
    `${what} is turned off in this project. Whoever runs the app can turn it on: ${key}.`,
);
