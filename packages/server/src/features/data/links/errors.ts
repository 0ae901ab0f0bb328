import { defineError } from '../../../platform/errors.ts';

export const populateTooLarge = defineError(
  'populate_too_large',
  (limit: number) =>
    `More than ${limit} linked records would be returned. Request a smaller page, or populate less.`,
);
export const linkNotFound = defineError(
  'link_not_found',
  (field: string) => `The field "${field.slice(0, 100)}" has no known link. List all links: GET …/links.`,
);
