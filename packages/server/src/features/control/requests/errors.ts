import { defineError } from '../../../platform/errors.ts';

export const requestNotFound = defineError(
  'request_not_found',
  () =>
    'The request log has no request with this id. Requests are kept for a few days, and only some of many similar ones are kept.',
);
export const tooManyWatchers = defineError('rate_limited', () => ({
  message: 'Too many watchers of the live request log. Close other windows, or read the list instead.',
  headers: { 'Retry-After': '10' },
}));
