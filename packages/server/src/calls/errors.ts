import { defineError } from '../platform/errors.ts';

export const invalidQuery = defineError('invalid_query', (parameter: string, problem: string) => ({
  message: parameter === '' ? problem : `${parameter.slice(0, 100)}: ${problem}`,
  details: { parameter: parameter.slice(0, 200) },
}));
