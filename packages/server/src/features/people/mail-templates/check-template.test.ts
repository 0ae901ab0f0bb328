import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import {
  supportedLanguages,
  type TemplateName,
  type TemplateReplacement,
  templateNames,
  textsIn,
} from '../mail-texts/index.ts';
import { checkTemplate } from './check-template.ts';

const good = { subject: 'Hello {{name}}', body: 'Hi\n\n{{link}}' };

function problemOf(change: Partial<TemplateReplacement>, name: TemplateName = 'verification'): string {
  try {
    checkTemplate(name, { ...good, ...change });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'invalid_template', status: 400 });
    return (error as AppError).message;
  }
}

test.each(templateNames)('the built-in texts of "%s" keep the rules that others have to', (name) => {
  for (const language of supportedLanguages) {
    const { templates, footer } = textsIn(language);
    checkTemplate(name, { subject: '', ...templates[name] });
    expect(footer).toMatch(/\{\{app_name\}\}.*\{\{email\}\}/);
  }
});

test.each<[string, Partial<TemplateReplacement>]>([
  ['values and sections', { body: '{{#name}}Hi {{ name }}{{/name}}{{^name}}Hi{{/name}}\n\n{{link}}' }],
  ['single braces and closing ones', { body: 'a { b } }} {{link}}}' }],
  ['the link in a section of its own', { body: '{{# link }}{{link}}{{/ link }}' }],
  ['sections that are alone on their lines', { body: '{{#name}}\nHi\n{{/name}}\n{{link}}' }],
  ['HTML', { html: '<style>a{b:c}</style><a href="{{link}}">x</a>' }],
])('%s can be in a text', (_what, change) => {
  expect(problemOf(change)).toBe('');
});

test.each<[RegExp, Partial<TemplateReplacement>]>([
  [/^body: Values are always escaped.*"\{\{\{link\}\}\}/, { body: '{{link}} {{{link}}}' }],
  [/^body: Values are always escaped/, { body: '{{link}} {{&name}}' }],
  [/^body: Values are always escaped/, { body: '{{link}} {{ {name} }}' }],
  [/^body: Values are always escaped/, { body: '{{link}} {{\n&name}}' }],
  [/^subject: Partials/, { subject: '{{> secret}}' }],
  [/^body: The delimiters cannot be changed/, { body: '{{=<% %>=}}<%& link %>{{link}}' }],
  [/^body: Comments/, { body: '{{! hi }}{{link}}' }],
  [
    /^body: "\{\{code\}\}" is not a known placeholder.*\{\{app_name\}\} .*\{\{link\}\} \{\{hours\}\}/,
    { body: '{{link}}{{code}}' },
  ],
  [
    /^body: "\{\{constructor\}\}" is not a known placeholder/,
    { body: '{{link}}{{#constructor}}{{/constructor}}' },
  ],
  [/^body: This is not a placeholder: "\{\{name\.length/, { body: '{{link}}{{name.length}}' }],
  [/^body: This is not a placeholder/, { body: '{{link}}{{#name}}{{.}}{{/name}}' }],
  [/^body: This is not a placeholder/, { body: '{{link}}{{}}' }],
  [/^body: The section "\{\{#name\}\}" is not closed/, { body: '{{#name}}{{link}}' }],
  [/^body: "\{\{\/email\}\}" closes a section that is not open/, { body: '{{#name}}{{/email}}{{link}}' }],
  [/^body: "\{\{\/name\}\}" closes a section/, { body: '{{/name}}{{link}}' }],
  [/^body: A "\{\{" is not closed/, { body: '{{link}} {{name' }],
  [/^body: A "\{\{" is not closed/, { body: `{{link}} {{${' '.repeat(9_000)}` }],
  [/^body: A section must end in the paragraph/, { body: '{{#name}}Hi\n\n{{name}}{{/name}} {{link}}' }],
  [/^body: \{\{link\}\} is missing/, { body: 'Hi' }],
  [/^body: \{\{link\}\} is missing/, { body: '{{#name}}{{link}}{{/name}}' }],
  [/^body: \{\{link\}\} is missing/, { body: '{{^link}}{{link}}{{/link}}' }],
  [/^html: \{\{link\}\} is missing/, { html: '<p>Hi</p>' }],
  [/^html: Emails cannot contain scripts/, { html: '<SCRIPT>"{{link}}"</SCRIPT>' }],
  [/^html: A placeholder in an attribute must be quoted/, { html: '<a href= {{link}}>x</a>' }],
  [/^body: More than 200 placeholders/, { body: '{{link}}'.repeat(201) }],
  [/^body: More than 5 levels/, { body: `${'{{#name}}'.repeat(6)}{{link}}${'{{/name}}'.repeat(6)}` }],
  [/^subject: It has 201 characters; the limit is 200/, { subject: 'x'.repeat(201) }],
  [/^body: It has 10006 characters/, { body: `${'x'.repeat(9_998)}{{link}}` }],
  [/^html: It has 100008 characters/, { html: `${'x'.repeat(100_000)}{{link}}` }],
  [/^subject: It is empty/, { subject: ' ' }],
  [/^body: It is empty/, { body: '\n' }],
])('%s', (message, change) => {
  expect(problemOf(change)).toMatch(message);
});

test('a text message has no subject, no HTML, and little space', () => {
  expect(problemOf({ subject: '', body: '{{code}}' }, 'sms-code')).toBe('');
  expect(problemOf({ body: '{{code}}', html: '{{code}}' }, 'sms-code')).toMatch(
    /^html: A text message cannot have/,
  );
  expect(problemOf({ body: `{{code}}${'x'.repeat(480)}` }, 'sms-code')).toMatch(/the limit is 480/);
});

test('a hostile text is refused as fast as any other', () => {
  const before = process.cpuUsage();
  expect(problemOf({ html: `{{link}}{{${' '.repeat(99_000)}` })).toMatch(/not closed/);
  expect(problemOf({ html: `{{link}}${'{'.repeat(99_000)}` })).not.toBe('');
  expect(problemOf({ html: `{{link}}${'= '.repeat(49_000)}` })).toBe('');
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(5_000_000);
});
