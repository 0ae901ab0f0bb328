import { defineError } from '../../../platform/errors.ts';

export const populateTooLarge = defineError(
  'populate_too_large',
  (limit: number) =>
    `More than ${limit} linked records would be returned. Ask for a smaller page, or populate less.`,
);
