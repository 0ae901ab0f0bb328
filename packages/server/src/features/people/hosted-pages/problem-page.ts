import type { AppError } from '../../../platform/errors.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { HtmlPage } from '../../../platform/http/html-page.ts';
import { notice } from './layout.ts';
import type { PageState } from './page-state.ts';
import type { Texts, Told } from './texts/texts.ts';

type Simple = Exclude<keyof Texts['problems'], 'tooMany' | 'reference'>;

/** The page for a failure. An unknown one is described in general words, with a reference for the log. */
export function problemPage(state: PageState, error: AppError, requestId: string): HtmlPage {
  const { problems } = state.texts;
  const more = { status: error.status, headers: error.headers, isMistake: true };
  const known = knownProblem(state, error);
  if (known) return notice(state, known, more);
  const isOurs = error.status >= 500;
  const after = isOurs ? reference(problems.reference, requestId) : undefined;
  return notice(state, isOurs ? problems.fault : problems.notUnderstood, {
    ...more,
    ...(after && { after }),
  });
}

/** What is known of some failures beyond their status. */
const problemOf: Partial<Record<AppError['code'], Simple>> = {
  user_suspended: 'suspended',
  origin_not_allowed: 'formElsewhere',
  project_unknown: 'noProject',
  flow_disabled: 'noPhoneLogin',
  too_many_codes: 'tooManyCodes',
  mail_not_configured: 'notSetUp',
  sms_not_configured: 'notSetUp',
  engine_unavailable: 'unavailable',
};

function knownProblem({ texts: { problems } }: PageState, error: AppError): Told | undefined {
  if (error.code === 'rate_limited')
    return { title: problems.tooMany.title, text: problems.tooMany.text(retryAfter(error)) };
  const name = problemOf[error.code];
  return name && problems[name];
}

/** In how many seconds it makes sense to try again. */
export function retryAfter({ headers }: AppError): number {
  return Number(headers['Retry-After'] ?? 60);
}

const reference = (label: string, requestId: string): Html =>
  html`<p class="reference">${label}: ${requestId}</p>`;
