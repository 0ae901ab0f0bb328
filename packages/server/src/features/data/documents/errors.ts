import { defineError } from '../../../platform/errors.ts';

export const documentNotFound = defineError(
  'document_not_found',
  (id: string) => `There is no document "${id.slice(0, 100)}" in this collection.`,
);
export const versionMismatch = defineError(
  'version_mismatch',
  (version: number, { isQuoted }: { isQuoted: boolean }) => ({
    message: isQuoted
      ? 'The document has changed since you read it. Read it again and retry your change.'
      : `If-Match must contain quoted versions, as in ETag: If-Match: "${version}".`,
    details: { version },
  }),
);
export const idTaken = defineError(
  'id_taken',
  (id: string) => `A document "${id}" already exists. Omit "id" to create a copy.`,
);
export const idNotPossible = defineError(
  'id_not_possible',
  (id: string) =>
    `The timestamp in the id "${id}" is more than a minute in the future. Correct the clock of the device that created it, or omit "id".`,
);
export const batchOfLargeDocuments = defineError(
  'body_too_large',
  () => 'The documents of this batch exceed 16 MB in total. Send fewer at once.',
);
export const batchTooLarge = defineError(
  'batch_too_large',
  (limit: number) => `A batch can have at most ${limit} items. Send several batches.`,
);
export const guardedBatchTooLarge = defineError(
  'batch_too_large',
  (limit: number) =>
    `The project has a hook that runs before each of these writes: a batch can have at most ${limit} items here. Send several batches.`,
);
export const batchItemNotFound = defineError('batch_item_not_found', (id: string) => ({
  message: `There is no document "${id.slice(0, 100)}" in this collection. Nothing was changed.`,
  details: { id },
}));
export const notExplained = defineError(
  'invalid_body',
  (name: string, action: string) =>
    `"${name}" is not used for a ${action}. Remove it, or ask about another action.`,
);

export const queryInAddress = defineError(
  'invalid_query',
  () => 'Send the whole query in the body, and none of it in the URL.',
);
