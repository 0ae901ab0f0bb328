import { defineError } from '../../../platform/errors.ts';

export const indexNotFound = defineError(
  'index_not_found',
  (id: string) => `The collection has no index "${id.slice(0, 100)}". List them with GET …/indexes.`,
);
export const indexExists = defineError(
  'index_exists',
  (kind: string, fields: readonly string[]) =>
    `There is already a ${kind} index of ${fields.join(', ')}. List them with GET …/indexes.`,
);
export const invalidIndex = defineError('invalid_index', (problem: string) => problem);
export const tooManyIndexes = defineError(
  'too_many_indexes',
  (most: number) =>
    `A collection has at most ${most} indexes that were asked for. Drop one that is no longer needed.`,
);
