import { defineError } from '../../platform/errors.ts';

export const invalidQuery = defineError('invalid_query', (parameter: string, problem: string) => ({
  message: parameter === '' ? problem : `${parameter.slice(0, 100)}: ${problem}`,
  details: { parameter: parameter.slice(0, 200) },
}));

export const fieldNotReadable = defineError('field_not_readable', (parameter: string) => ({
  message: `${parameter.slice(0, 100)}: you may not read that field, so it cannot be used here.`,
  details: { parameter: parameter.slice(0, 200) },
}));
