import { configOf, loginUrlOf, type Project } from '../projects/index.ts';
import { chooseLanguage } from './choose-language.ts';
import type { Message } from './message.ts';
import { type RenderedMail, renderMail } from './render-mail.ts';
import type { DeliveryServices } from './services.ts';
import { listLanguagesOf } from './store.ts';
import { type Language, supportedLanguages } from './texts.ts';

/** The words of a message: the project's own where it has replaced ours, in the language its receiver likes best. */
export async function renderFor(
  { cells }: Pick<DeliveryServices, 'cells'>,
  project: Project,
  { template, languages, variables, to }: Message,
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

/** The language of those who ask for none that there is. */
export function defaultLanguage({ settings }: Pick<Project, 'settings'>): Language {
  return settings.language ?? 'en';
}
