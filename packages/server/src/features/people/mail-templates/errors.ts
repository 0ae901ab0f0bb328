import { defineError } from '../../../platform/errors.ts';

export const invalidTemplate = defineError('invalid_template', (part: string, problem: string) => ({
  message: `${part}: ${problem}`,
  details: { part },
}));

export const receiverNotAllowed = defineError(
  'receiver_not_allowed',
  (to: string) =>
    `Test mails go to a few addresses only, and ${to.slice(0, 100)} is not among them. Add it with plinth project set-test-receivers, or give the project a mail server of its own.`,
);

export const templateNotFound = defineError(
  'template_not_found',
  (names: readonly string[], languages: readonly string[]) =>
    `There is no such template. Names: ${names.join(', ')}. Languages: ${languages.join(', ')}.`,
);
