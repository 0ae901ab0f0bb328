import type { PageVisit, Project, RequestContext } from '../../../calls/index.ts';
import { chooseLanguage, defaultLanguage, type Language, supportedLanguages } from '../mail-texts/index.ts';
import { textsIn } from './texts/index.ts';
import type { Texts } from './texts/texts.ts';

/** How a page is shown: in which language, for which project, and from where its relative addresses start. */
export interface PageState {
  readonly language: Language;
  readonly texts: Texts;
  readonly projectName: string | undefined;
  /** Leads from the page's address to `/auth-collections/`: nothing, or `../` a few times. */
  readonly up: string;
  /** The language that the address asked for; it is kept from page to page. */
  readonly chosenLanguage: Language | undefined;
}

/** Everything that the handler of a page works with. */
export interface PageCall {
  readonly context: RequestContext;
  readonly visit: PageVisit;
  readonly state: PageState;
}

const pageDepth = '/auth-collections/page'.split('/').length;

/** The language is what `lang` asks for, else what the browser prefers of those we speak, else the project's. */
export function pageStateOf(visit: PageVisit, project: Project | undefined): PageState {
  const asked = (visit.fields.get('lang') ?? visit.query.get('lang'))?.toLowerCase().split('-', 1)[0];
  const chosenLanguage = supportedLanguages.find((language) => language === asked);
  const fallback = project ? defaultLanguage(project) : 'en';
  const language = chosenLanguage ?? chooseLanguage(visit.languages, supportedLanguages, fallback);
  return {
    language,
    texts: textsIn[language],
    projectName: project?.name,
    up: '../'.repeat(Math.max(0, visit.path.split('/').length - pageDepth)),
    chosenLanguage,
  };
}

/** Whoever fills in a form is nobody yet, whatever the call carries; the mails it causes are in the language of the page. */
export function callOf(context: RequestContext, visit: PageVisit): PageCall {
  const state = pageStateOf(visit, context.project);
  const languages = state.chosenLanguage ?? context.from.languages;
  return {
    context: { ...context, principal: { isTrusted: false }, from: { ...context.from, languages } },
    visit,
    state,
  };
}
