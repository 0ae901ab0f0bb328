import { defineError } from '../../platform/errors.ts';

export const documentNotFound = defineError(
  'document_not_found',
  (id: string) => `There is no document "${id.slice(0, 100)}" in this collection.`,
);
export const versionMismatch = defineError('version_mismatch', (version: number) => ({
  message: 'The document has changed since you read it. Read it again and repeat the change.',
  details: { version },
}));
export const documentTooLarge = defineError(
  'body_too_large',
  () => 'A document has at most 1 MB (1,048,576 bytes of JSON).',
);
export const batchOfLargeDocuments = defineError(
  'body_too_large',
  () => 'The documents of this batch have more than 16 MB together. Send fewer at once.',
);
export const operatorMismatch = defineError(
  'operator_mismatch',
  (operator: string, field: string, problem: string) => ({
    message: `${operator} on "${field.slice(0, 100)}": ${problem}. Nothing was changed.`,
    details: { operator, field },
  }),
);
export const invalidOperator = defineError('invalid_operator', (problem: string) => problem);
export const batchTooLarge = defineError(
  'batch_too_large',
  (limit: number) => `A batch holds at most ${limit} items. Send several.`,
);
export const batchItemNotFound = defineError('batch_item_not_found', (id: string) => ({
  message: `There is no document "${id.slice(0, 100)}" in this collection. Nothing was changed.`,
  details: { id },
}));
