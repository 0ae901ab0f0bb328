import { defineError } from '../../../platform/errors.ts';

export const invalidTemplate = defineError('invalid_template', (part: string, problem: string) => ({
  message: `${part}: ${problem}`,
  details: { part },
}));

export const receiverNotAllowed = defineError(
  'receiver_not_allowed',
  (to: string) =>
    `Test emails can only be sent to listed addresses, and ${to.slice(0, 100)} is not one of them. Add it with plinth project set-test-receivers, or set up a mail server for the project.`,
);

export const templateNotFound = defineError(
  'template_not_found',
  (names: readonly string[], languages: readonly string[]) =>
    `There is no such template. Names: ${names.join(', ')}. Languages: ${languages.join(', ')}.`,
);
