import { budgets } from '../../../calls/index.ts';
import { defineError } from '../../../platform/errors.ts';

export const fieldNotReadable = defineError('field_not_readable', (parameter: string) => ({
  message: `${parameter.slice(0, 100)}: you are not allowed to read this field, so you cannot use it here.`,
  details: { parameter: parameter.slice(0, 200) },
}));

export const queryTooBroad = defineError(
  'query_too_broad',
  () =>
    `By following links, this query would search more than ${budgets.queryLinks} places, or compare with more than ${budgets.queryValues} values. Follow fewer links, or compare with fewer values.`,
);
