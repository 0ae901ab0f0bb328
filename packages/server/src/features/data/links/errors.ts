import { defineError } from '../../../platform/errors.ts';

export const populateTooLarge = defineError(
  'populate_too_large',
  (limit: number) =>
    `More than ${limit} linked records would be returned. Ask for a smaller page, or populate less.`,
);
export const linkNotFound = defineError(
  'link_not_found',
  (field: string) => `No link is known in the field "${field.slice(0, 100)}". List them with GET …/links.`,
);
