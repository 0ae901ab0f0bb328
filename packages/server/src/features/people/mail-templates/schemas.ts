import { Type } from 'typebox';
import { supportedLanguages, templateNames } from '../mail-texts/index.ts';

const subject = Type.String({
  description: 'One line; placeholders such as `{{app_name}}`.',
  examples: ['Welcome to {{app_name}}'],
});
const body = Type.String({
  description:
    'Plain text: paragraphs separated by blank lines. `{{link}}` alone is a button, `{{code}}` alone a box.',
  examples: ['Hello,\n\ngood to have you at {{app_name}}.'],
});
const html = Type.String({
  description: 'A complete HTML document, instead of the body in the built-in layout.',
  examples: [],
});

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const templateParams = Type.Object({
  name: Type.String({ description: `One of ${listed(templateNames)}.`, examples: ['welcome'] }),
  language: Type.String({ description: `One of ${listed(supportedLanguages)}.`, examples: ['en'] }),
});

export const templateBody = Type.Object(
  { subject: Type.Optional(subject), body, html: Type.Optional(html) },
  { additionalProperties: false },
);

export const testBody = Type.Object(
  {
    to: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'Who receives the email.',
      examples: ['ada@example.com'],
    }),
  },
  { additionalProperties: false },
);

export const templateSchema = Type.Object({
  name: Type.String({ examples: ['welcome'] }),
  language: Type.String({ examples: ['en'] }),
  subject,
  body,
  html: Type.Optional(html),
  variables: Type.Array(Type.String(), {
    description: 'The placeholders it can use.',
    examples: [['app_name', 'email']],
  }),
  is_own: Type.Boolean({ description: 'The project has replaced the built-in text.' }),
});

export const previewSchema = Type.Object({
  subject: Type.String({ examples: ['Welcome to Example'] }),
  html: Type.String({ description: 'As most email clients show it.', examples: ['<!doctype html>…'] }),
  text: Type.String({
    description: 'For email clients that do not show HTML.',
    examples: ['Hello,\n\ngood to have you at Example.'],
  }),
});
