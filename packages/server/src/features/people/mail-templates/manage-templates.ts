import { type Project, type RequestContext } from '../../../calls/index.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { configOf } from '../../control/index.ts';
import {
  commonVariables,
  isLanguage,
  isTemplateName,
  type Language,
  listTemplates,
  type RenderedMail,
  removeTemplate,
  renderMail,
  type StoredTemplate,
  saveTemplate,
  supportedLanguages,
  type TemplateName,
  type TemplateReplacement,
  templateNames,
  textsIn,
  variablesOf,
} from '../mail-texts/index.ts';
import {
  canMail,
  canText,
  type MessageDeps,
  mailNotConfigured,
  mayMailTest,
  sendMail,
  sendText,
  smsNotConfigured,
} from '../messages/index.ts';
import { checkTemplate } from './check-template.ts';
import { receiverNotAllowed, templateNotFound } from './errors.ts';

export interface Which {
  readonly name: TemplateName;
  readonly language: Language;
}

/** The template that a path names. */
export function readWhich({ name = '', language = '' }: Readonly<Record<string, string>>): Which {
  if (!isTemplateName(name) || !isLanguage(language)) {
    throw templateNotFound(templateNames, supportedLanguages);
  }
  return { name, language };
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

/** Puts a project's text in the place of ours. */
export async function replaceTemplate({ db }: RequestContext, which: Which, text: TemplateReplacement) {
  checkTemplate(which.name, text);
  const stored = { ...which, ...text, html: text.html ?? null };
  await saveTemplate(db, stored);
  return describe(which, stored);
}

/** Goes back to the built-in text. */
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
  deps: MessageDeps,
  context: RequestContext,
  which: Which,
  to: string,
): Promise<void> {
  const variables = sampleVariables(context.project);
  const message = { template: which.name, to, languages: which.language, variables };
  if (which.name === 'sms-code') {
    if (!/^\+[1-9]\d{6,14}$/.test(to))
      throw invalidBody('to is not a valid phone number, such as +15551234567.');
    if (!(await canText(deps, context.project))) throw smsNotConfigured();
    return sendText(deps, context, message);
  }
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(to)) throw invalidBody('to is not a valid email address.');
  if (!(await canMail(deps, context.project))) throw mailNotConfigured();
  if (!(await mayMailTest(deps, context.project, to))) throw receiverNotAllowed(to);
  await sendMail(deps, context, message);
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
