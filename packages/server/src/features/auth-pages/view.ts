import { chooseLanguage, defaultLanguage, type Language, supportedLanguages } from '../messages/index.ts';
import type { PageVisit, Project, RequestContext } from '../projects/index.ts';
import { textsIn } from './texts/index.ts';
import type { Texts } from './texts/texts.ts';

/** How a page is shown: in which language, for which project, and from where its relative addresses start. */
export interface View {
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
  readonly view: View;
}

const pageDepth = '/auth-collections/page'.split('/').length;

/** The language that `lang` asks for, else the one the browser likes best of those there are, else the project's. */
export function viewOf(visit: PageVisit, project: Project | undefined): View {
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

/** Who fills a form in is nobody yet, whatever the call carries; mails it causes are in the language of the page. */
export function callOf(context: RequestContext, visit: PageVisit): PageCall {
  const view = viewOf(visit, context.project);
  const languages = view.chosenLanguage ?? context.from.languages;
  return {
    context: { ...context, principal: { isTrusted: false }, from: { ...context.from, languages } },
    visit,
    view,
  };
}
