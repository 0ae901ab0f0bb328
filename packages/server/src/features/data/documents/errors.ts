import { defineError } from '../../../platform/errors.ts';

export const documentNotFound = defineError(
  'document_not_found',
  (id: string) => `There is no document "${id.slice(0, 100)}" in this collection.`,
);
export const versionMismatch = defineError(
  'version_mismatch',
  (version: number, { isQuoted }: { isQuoted: boolean }) => ({
    message: isQuoted
      ? 'The document has changed since you read it. Read it again and repeat the change.'
      : `If-Match names versions in quotes, as ETag gives them: If-Match: "${version}".`,
    details: { version },
  }),
);
export const idTaken = defineError(
  'id_taken',
  (id: string) => `There is a document "${id}" already. Leave "id" out to create a copy.`,
);
export const idNotPossible = defineError(
  'id_not_possible',
  (id: string) =>
    `The id "${id}" is of a time more than a minute ahead. Set the clock of whoever made it, or leave "id" out.`,
);
export const batchOfLargeDocuments = defineError(
  'body_too_large',
  () => 'The documents of this batch have more than 16 MB together. Send fewer at once.',
);
export const batchTooLarge = defineError(
  'batch_too_large',
  (limit: number) => `A batch holds at most ${limit} items. Send several.`,
);
export const guardedBatchTooLarge = defineError(
  'batch_too_large',
  (limit: number) =>
    `The project has a hook that runs before each of these writes: a batch holds at most ${limit} items here. Send several.`,
);
export const batchItemNotFound = defineError('batch_item_not_found', (id: string) => ({
  message: `There is no document "${id.slice(0, 100)}" in this collection. Nothing was changed.`,
  details: { id },
}));
export const notExplained = defineError(
  'invalid_body',
  (name: string, action: string) =>
    `"${name}" has no part in a ${action}. Leave it out, or ask about another action.`,
);

export const queryInAddress = defineError(
  'invalid_query',
  () => 'Here the whole query is in the body, and none of it in the address.',
);
