import {
  paragraphsOf,
  type TemplateName,
  type TemplateReplacement,
  templateOf,
  variablesOf,
} from '../mail-texts/index.ts';
import { invalidTemplate } from './errors.ts';
import { type Placeholder, placeholdersIn } from './placeholders.ts';

const most = { subject: 200, body: 10_000, html: 100_000 };
const mostInTextMessage = 480;

/** Refuses a project's own text that could not be sent, or would not do what it is for. */
export function checkTemplate(name: TemplateName, { subject, body, html }: TemplateReplacement): void {
  const isTextMessage = name === 'sms-code';
  if (isTextMessage && html !== undefined) throw invalidTemplate('html', 'A text message cannot have HTML.');
  if (!isTextMessage && subject.trim() === '') throw invalidTemplate('subject', 'It is empty.');
  if (body.trim() === '') throw invalidTemplate('body', 'It is empty.');

  checkText(name, 'subject', subject);
  checkText(name, 'body', body, isTextMessage ? mostInTextMessage : most.body);
  checkParagraphs(body);
  checkPurpose(name, 'body', body);
  if (html === undefined) return;
  checkText(name, 'html', html);
  checkMarkup(html);
  checkPurpose(name, 'html', html);
}

type Part = keyof typeof most;

function checkText(name: TemplateName, part: Part, text: string, longest = most[part]): void {
  if (text.length > longest) {
    throw invalidTemplate(part, `It has ${text.length} characters; the limit is ${longest}.`);
  }
  const known = variablesOf(name);
  for (const { kind, variable } of read(part, text)) {
    if (kind === 'end' || known.includes(variable)) continue;
    throw invalidTemplate(
      part,
      `"{{${variable}}}" is not a known placeholder. This template supports: ${known.map((one) => `{{${one}}}`).join(' ')}.`,
    );
  }
}

function read(part: Part, text: string): Placeholder[] {
  const { placeholders, problem } = placeholdersIn(text);
  if (problem !== undefined) throw invalidTemplate(part, problem);
  return placeholders;
}

/** Paragraphs are filled in one by one, so a section cannot reach over several. */
function checkParagraphs(body: string): void {
  if (paragraphsOf(body).every((paragraph) => placeholdersIn(paragraph).problem === undefined)) return;
  throw invalidTemplate('body', 'A section must end in the paragraph in which it starts.');
}

/** If the link or code stood inside a section, some people could get a mail without it. */
function checkPurpose(name: TemplateName, part: Part, text: string): void {
  const { purpose } = templateOf(name);
  if (!purpose) return;
  const isAlwaysThere = read(part, text).some(
    ({ kind, variable, inside }) =>
      kind === 'value' && variable === purpose && inside.every((section) => section === `#${purpose}`),
  );
  if (isAlwaysThere) return;
  throw invalidTemplate(part, `{{${purpose}}} is missing: the message needs it, outside of any section.`);
}

function checkMarkup(html: string): void {
  if (/<script/i.test(html)) {
    throw invalidTemplate('html', 'Emails cannot contain scripts: remove "<script".');
  }
  if (hasBareAttribute(html)) {
    throw invalidTemplate('html', 'A placeholder in an attribute must be quoted: href="{{link}}".');
  }
}

/** Whether a placeholder follows a `=`, with any number of blanks between. Searches backwards from each placeholder. */
function hasBareAttribute(html: string): boolean {
  for (let at = html.indexOf('{{'); at !== -1; at = html.indexOf('{{', at + 2)) {
    if (html.slice(0, at).trimEnd().endsWith('=')) return true;
  }
  return false;
}
