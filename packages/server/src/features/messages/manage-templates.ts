import { invalidBody } from '../../platform/http/errors.ts';
import { configOf, type Project, type RequestContext } from '../projects/index.ts';
import { checkTemplate } from './check-template.ts';
import { mailNotConfigured, smsNotConfigured, templateNotFound } from './errors.ts';
import { commonVariables } from './render-for.ts';
import { type RenderedMail, renderMail } from './render-mail.ts';
import { canMail, canText, sendMail, sendText } from './send-message.ts';
import type { MessageServices } from './services.ts';
import { listTemplates, removeTemplate, type StoredTemplate, saveTemplate } from './store.ts';
import { type TemplateName, type TemplateReplacement, templateNames, variablesOf } from './templates.ts';
import { type Language, supportedLanguages, textsIn } from './texts.ts';

export interface Which {
  readonly name: TemplateName;
  readonly language: Language;
}

/** The template that a path names. */
export function readWhich({ name = '', language = '' }: Readonly<Record<string, string>>): Which {
  if (!(templateNames as string[]).includes(name) || !(supportedLanguages as string[]).includes(language)) {
    throw templateNotFound(templateNames, supportedLanguages);
  }
  return { name: name as TemplateName, language: language as Language };
}

/** Every template in every language, as it would be sent now. */
export async function listAllTemplates({ db }: RequestContext) {
  const own = await listTemplates(db);
  return templateNames.flatMap((name) =>
    supportedLanguages.map((language) => {
      const replaced = own.find((text) => text.name === name && text.language === language);
      return describe({ name, language }, replaced);
    }),
  );
}

/** Puts a text in the place of ours. */
export async function replaceTemplate({ db }: RequestContext, which: Which, text: TemplateReplacement) {
  checkTemplate(which.name, text);
  const stored = { ...which, ...text, html: text.html ?? null };
  await saveTemplate(db, stored);
  return describe(which, stored);
}

/** Gives the built-in text its place again. */
export async function restoreTemplate({ db }: RequestContext, which: Which) {
  await removeTemplate(db, which.name, which.language);
  return describe(which, undefined);
}

/** How a text would look, with made-up values. */
export function previewTemplate(
  { project }: RequestContext,
  which: Which,
  text: TemplateReplacement,
): RenderedMail {
  checkTemplate(which.name, text);
  return renderMail({
    template: which.name,
    language: which.language,
    replacement: text,
    appName: project.name,
    variables: { ...commonVariables(project), ...sampleVariables(project) },
  });
}

/** Sends the template as it is now, with made-up values. */
export async function sendTest(
  services: MessageServices,
  context: RequestContext,
  which: Which,
  to: string,
): Promise<void> {
  const variables = sampleVariables(context.project);
  const message = { template: which.name, to, languages: which.language, variables };
  if (which.name === 'sms-code') {
    if (!/^\+[1-9]\d{6,14}$/.test(to)) throw invalidBody('to is not a phone number such as +15551234567.');
    if (!(await canText(services, context.project))) throw smsNotConfigured();
    return sendText(services, context, message);
  }
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(to)) throw invalidBody('to is not an e-mail address.');
  if (!(await canMail(services, context.project))) throw mailNotConfigured();
  await sendMail(services, context, message);
}

function describe(which: Which, own: StoredTemplate | undefined) {
  const text: Partial<TemplateReplacement> = textsIn(which.language).templates[which.name];
  const { subject = '', body = '', html } = own ?? text;
  return {
    ...which,
    subject,
    body,
    ...(typeof html === 'string' && { html }),
    variables: variablesOf(which.name),
    is_own: own !== undefined,
  };
}

function sampleVariables(project: Project): Record<string, string> {
  return {
    email: 'sam@example.com',
    name: 'Sam',
    link: 'https://example.com/?token=a-token-for-the-preview',
    code: '1234567890'.slice(0, configOf(project).OTP_LENGTH),
    minutes: '10',
    hours: '24',
    time: '2030-01-02T15:04:00.000Z',
    device: 'Firefox, Windows',
    address: '203.0.113.7',
  };
}
