import { defineError } from '../../../platform/errors.ts';

export const fieldNotReadable = defineError('field_not_readable', (parameter: string) => ({
  message: `${parameter.slice(0, 100)}: you may not read that field, so it cannot be used here.`,
  details: { parameter: parameter.slice(0, 200) },
}));
