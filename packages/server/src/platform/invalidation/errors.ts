import { defineError } from '../errors.ts';

export const lookupsAway = defineError('engine_unavailable', () => ({
  message: 'The project’s settings cannot be read at the moment. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));
