import { defineError } from '../../platform/errors.ts';

export const idempotencyMismatch = defineError(
  'idempotency_mismatch',
  () =>
    'This Idempotency-Key was already used for a request with a different body. Use a new key for each new request.',
);
export const invalidIdempotencyKey = defineError(
  'invalid_idempotency_key',
  () => 'An Idempotency-Key must have 1 to 255 characters.',
);
