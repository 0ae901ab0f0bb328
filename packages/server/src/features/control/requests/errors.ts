import { defineError } from '../../../platform/errors.ts';

export const requestNotFound = defineError(
  'request_not_found',
  () =>
    'The request log has no call of that id. Calls are kept for a few days, and of many alike only some are kept.',
);
export const tooManyWatchers = defineError('rate_limited', () => ({
  message: 'Too many people watch calls as they come. Close other windows, or read the list instead.',
  headers: { 'Retry-After': '10' },
}));
