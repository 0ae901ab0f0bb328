import { defineError } from '../../../platform/errors.ts';

export const keyNotFound = defineError('api_key_not_found', (id: string) => ({
  message: `The project has no API key with the id "${id.slice(0, 100)}".`,
  details: { id: id.slice(0, 100) },
}));
export const tooManyKeys = defineError('too_many_api_keys', (most: number) => ({
  message: `A project can have at most ${most} additional API keys. Delete one that is no longer used.`,
  details: { most },
}));
