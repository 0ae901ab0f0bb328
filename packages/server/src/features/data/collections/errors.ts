import { defineError } from '../../../platform/errors.ts';

export const collectionNotFound = defineError(
  'collection_not_found',
  (name: string) =>
    `There is no collection "${name.slice(0, 100)}". Create it with POST /collections {"name": …}.`,
);
export const collectionExists = defineError(
  'collection_exists',
  (name: string) => `There is already a collection "${name}". Choose another name, or use the one there is.`,
);
export const invalidCollectionName = defineError(
  'invalid_collection_name',
  (name: string) =>
    `"${name.slice(0, 100)}" cannot be a collection name: it starts with a letter, has up to 63 letters, digits, "_" or "-", and is not of the form of an id.`,
);
