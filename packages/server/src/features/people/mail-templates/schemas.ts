import { Type } from 'typebox';
import { supportedLanguages, templateNames } from '../mail-texts/index.ts';

const subject = Type.String({ description: 'One line; placeholders such as {{app_name}}.' });
const body = Type.String({
  description:
    'Plain text: paragraphs separated by blank lines. {{link}} alone is a button, {{code}} alone a box.',
});
const html = Type.String({ description: 'A whole HTML of your own, instead of the body in our layout.' });

export const templateParams = Type.Object({
  name: Type.String({ description: `One of ${templateNames.join(', ')}.` }),
  language: Type.String({ description: `One of ${supportedLanguages.join(', ')}.` }),
});

export const templateBody = Type.Object(
  { subject: Type.Optional(subject), body, html: Type.Optional(html) },
  { additionalProperties: false },
);

export const testBody = Type.Object(
  { to: Type.String({ minLength: 3, maxLength: 254, description: 'Who gets the mail.' }) },
  { additionalProperties: false },
);

export const templateSchema = Type.Object({
  name: Type.String(),
  language: Type.String(),
  subject,
  body,
  html: Type.Optional(html),
  variables: Type.Array(Type.String(), { description: 'The placeholders it may use.' }),
  is_own: Type.Boolean({ description: 'The project has replaced the built-in text.' }),
});

export const previewSchema = Type.Object({
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
});
