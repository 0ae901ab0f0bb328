import { defineError } from '../../../platform/errors.ts';

export const collectionNotFound = defineError(
  'collection_not_found',
  (name: string) =>
    `There is no collection "${name.slice(0, 100)}". Create it with POST /collections {"name": …}.`,
);
export const collectionExists = defineError(
  'collection_exists',
  (name: string) =>
    `There is already a collection "${name}". Choose another name, or use the existing collection.`,
);
export const invalidCollectionName = defineError(
  'invalid_collection_name',
  (name: string) =>
    `"${name.slice(0, 100)}" is not a valid collection name: it must start with a letter, have up to 63 letters, digits, "_" or "-", and not look like an id.`,
);
