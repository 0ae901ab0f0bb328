// Prints packages/server/src/features/people/mail-texts/layout.ts, made from layout.mjml.
import { readFileSync } from 'node:fs';
import mjml2html from 'mjml';

const source = readFileSync(new URL('layout.mjml', import.meta.url), 'utf8');
const { html } = await mjml2html(source, { fonts: {}, validationLevel: 'strict' });
const lines = html
  .replaceAll(/<\w[^>]*>/g, (tag) => tag.replaceAll(/\s+/g, ' ').replace(/ >$/, '>'))
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean);

process.stdout.write(`// Made from tools/mail/layout.mjml by "npm run mail:layout"; change it there.
export const layout = \`${lines.join('\n').replaceAll(/[\\`]|\$\{/g, '\\$&')}\`;
`);
