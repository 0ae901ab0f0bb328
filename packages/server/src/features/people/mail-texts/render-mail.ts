import Mustache from 'mustache';
import { layout } from './layout.ts';
import { type Block, blocksOf } from './mail-blocks.ts';
import { oneLine, type TemplateValues, type TemplateVariables, valuesFor } from './template-values.ts';
import { type TemplateName, type TemplateReplacement, templateOf } from './templates.ts';
import { type Language, textsIn } from './texts.ts';

export interface MailToRender {
  readonly template: TemplateName;
  readonly language: Language;
  /** What the project says instead of the built-in text. */
  readonly replacement?: TemplateReplacement | undefined;
  readonly variables: TemplateVariables;
  /** The project's name. */
  readonly appName: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const longestSubject = 200;
const longestPreheader = 140;

const plain = { escape: String };
const escaped = { escape: escapeHtml };

const writer = new Mustache.Writer();
// Without a cache: projects' own texts would pile up in it.
Object.assign(writer, { templateCache: undefined });
const layoutTokens: string[][] = writer.parse(layout);

/** The words of a message, as HTML and as plain text; of a text message only the plain text. */
export function renderMail(mail: MailToRender): RenderedMail {
  const { template, language, replacement } = mail;
  const values = valuesFor(mail);
  const { purpose } = templateOf(template);
  if (purpose && !values[purpose]) throw new Error(`A "${template}" message needs a ${purpose}.`);
  const texts = textsIn(language);
  const { subject, body, button } = { subject: '', button: '', ...texts.templates[template], ...replacement };
  const fill = (text: string) => writer.render(text, values, {}, plain);
  const blocks = blocksOf(body, { values, fill, button: templateOf(template).button });
  if (template === 'sms-code') return { subject: '', html: '', text: textOf(blocks) };

  const title = oneLine(fill(subject), longestSubject);
  const foot = [fill(texts.footer), values.frontend_url].filter(Boolean).join('\n');
  const words = { title, label: button, hint: texts.buttonHint, footer: fill(texts.footer) };
  return {
    subject: title,
    html:
      replacement?.html === undefined
        ? inLayout(blocks, { language, values, ...words })
        : writer.render(replacement.html, values, {}, escaped),
    text: `${textOf(blocks)}\n\n-- \n${foot}\n`,
  };
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .map(({ kind, lines }) => (kind === 'text' ? lines : lines.slice(0, 1)).join('\n'))
    .join('\n\n');
}

interface Frame {
  readonly language: Language;
  readonly values: TemplateValues;
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly footer: string;
}

/** The text goes into the layout as values, so nothing in it can be a placeholder any more. */
function inLayout(blocks: readonly Block[], { values, ...frame }: Frame): string {
  const opening = blocks.filter(({ kind }) => kind === 'text').slice(0, 2);
  const view = {
    ...frame,
    appName: values.app_name,
    frontendUrl: values.frontend_url,
    preheader: oneLine(opening.flatMap(({ lines }) => lines).join(' '), longestPreheader),
    blocks: blocks.map(({ kind, lines }) => ({
      isText: kind === 'text',
      isButton: kind === 'button',
      isAddress: kind === 'address',
      isCode: kind === 'code',
      value: lines[0],
      lines: lines.map((line, index) => ({ line, isLast: index === lines.length - 1 })),
    })),
  };
  return writer.renderTokens(layoutTokens, new Mustache.Context(view), {}, layout, escaped);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(value: unknown): string {
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
