import { defineError } from '../errors.ts';

export const lookupsAway = defineError('engine_unavailable', () => ({
  message: 'What the service knows of projects cannot be read just now. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));
