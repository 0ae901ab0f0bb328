import { defineError } from '../../../platform/errors.ts';

export const invalidTemplate = defineError('invalid_template', (part: string, problem: string) => ({
  message: `${part}: ${problem}`,
  details: { part },
}));

export const templateNotFound = defineError(
  'template_not_found',
  (names: readonly string[], languages: readonly string[]) =>
    `There is no such template. Names: ${names.join(', ')}. Languages: ${languages.join(', ')}.`,
);
