import { defineError } from '../errors.ts';

export const databaseBusy = defineError('too_many_queries', () => ({
  message:
    'So many calls of this project wait for the database that this one would wait too long. Send fewer at once.',
  headers: { 'Retry-After': '1' },
}));
