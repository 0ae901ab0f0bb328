import type { Project } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { configOf, loginUrlOf } from '../../control/index.ts';
import { chooseLanguage } from './choose-language.ts';
import { type RenderedMail, renderMail } from './render-mail.ts';
import { listLanguagesOf } from './store.ts';
import type { TemplateName } from './templates.ts';
import { type Language, supportedLanguages } from './texts.ts';

/** What a message is to say, and to whom. */
interface MessageWords {
  readonly template: TemplateName;
  /** An e-mail address, or a phone number. */
  readonly to: string;
  /** What the template's placeholders stand for. */
  readonly variables: Readonly<Record<string, string>>;
  /** The Accept-Language of the call that caused it. */
  readonly languages: string;
}

/** A message as it is sent: in the project's own words where it has replaced ours, in the receiver's language. */
export async function renderFor(
  { cells }: { readonly cells: Cells },
  project: Project,
  { template, languages, variables, to }: MessageWords,
): Promise<RenderedMail> {
  const own = await listLanguagesOf(cells.forProject(project), template);
  const language = chooseLanguage(languages, supportedLanguages, defaultLanguage(project));
  const replacement = own.find((text) => text.language === language);
  return renderMail({
    template,
    language,
    appName: project.name,
    variables: { ...commonVariables(project), email: to, ...variables },
    ...(replacement && { replacement: { ...replacement, html: replacement.html ?? undefined } }),
  });
}

/** What every message may mention. */
export function commonVariables(project: Project): Record<string, string> {
  const { FRONTEND_URL } = configOf(project);
  const loginUrl = loginUrlOf(project);
  return {
    ...(FRONTEND_URL !== null && { frontend_url: FRONTEND_URL }),
    ...(loginUrl !== undefined && { login_url: loginUrl }),
  };
}

/** The language for people who ask for none that we speak. */
export function defaultLanguage({ settings }: Pick<Project, 'settings'>): Language {
  return settings.language ?? 'en';
}
