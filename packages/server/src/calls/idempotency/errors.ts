import { defineError } from '../../platform/errors.ts';

export const idempotencyMismatch = defineError(
  'idempotency_mismatch',
  () => 'This Idempotency-Key was used for a call with another body. Use a new key for a new call.',
);
export const invalidIdempotencyKey = defineError(
  'invalid_idempotency_key',
  () => 'An Idempotency-Key has 1 to 255 characters.',
);
