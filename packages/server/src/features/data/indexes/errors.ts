import { defineError } from '../../../platform/errors.ts';

export const indexNotFound = defineError(
  'index_not_found',
  (id: string) => `The collection has no index "${id.slice(0, 100)}". List all indexes: GET …/indexes.`,
);
export const indexExists = defineError(
  'index_exists',
  (kind: string, fields: readonly string[]) =>
    `There is already a ${kind} index on ${fields.join(', ')}. List all indexes: GET …/indexes.`,
);
export const invalidIndex = defineError('invalid_index', (problem: string) => problem);
export const tooManyIndexes = defineError(
  'too_many_indexes',
  (most: number) =>
    `A collection can have at most ${most} requested indexes. Drop one that is no longer needed.`,
);
