import { defineError } from '../errors.ts';

export const databaseBusy = defineError('too_many_queries', () => ({
  message: 'Too many requests of this project are waiting for the database. Send fewer at once.',
  headers: { 'Retry-After': '1' },
}));

export const cellUnknown = defineError('engine_unavailable', () => ({
  message:
    'The database of this project cannot be reached from here at the moment. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));

/** A database that cannot be used, and what to do about it. */
export class MigrationError extends Error {}
