import { defineError } from '../../../platform/errors.ts';

export const documentTooLarge = defineError(
  'body_too_large',
  () => 'A document can have at most 1 MB (1,048,576 bytes of JSON).',
);
export const operatorMismatch = defineError(
  'operator_mismatch',
  (operator: string, field: string, problem: string) => ({
    message: `${operator} on "${field.slice(0, 100)}": ${problem}. Nothing was changed.`,
    details: { operator, field },
  }),
);
export const invalidOperator = defineError('invalid_operator', (problem: string) => problem);
