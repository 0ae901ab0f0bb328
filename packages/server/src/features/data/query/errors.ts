import { budgets } from '../../../calls/index.ts';
import { defineError } from '../../../platform/errors.ts';

export const fieldNotReadable = defineError('field_not_readable', (parameter: string) => ({
  message: `${parameter.slice(0, 100)}: you may not read that field, so it cannot be used here.`,
  details: { parameter: parameter.slice(0, 200) },
}));

export const queryTooBroad = defineError(
  'query_too_broad',
  () =>
    `Through links, this query would look into more than ${budgets.queryLinks} places, or compare with more than ${budgets.queryValues} values. Ask through fewer links, or compare with fewer values.`,
);
