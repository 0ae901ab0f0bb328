import { html } from '../../../platform/http/html.ts';
import type { HtmlPage } from '../../../platform/http/html-page.ts';
import type { HostedPageDeps } from './deps.ts';
import { field, form, problem } from './form.ts';
import { layOut, notice } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { PageCall, PageState } from './page-state.ts';

export async function showForgotPassword({ state }: PageCall): Promise<HtmlPage> {
  return emailForm(state, '');
}

/** Says the same whether or not there is such a user. */
export async function submitForgotPassword(
  deps: Pick<HostedPageDeps, 'requestPasswordReset'>,
  { context, visit, state }: PageCall,
): Promise<HtmlPage> {
  const email = (visit.fields.get('email') ?? '').trim();
  if (!isEmail(email)) return emailForm(state, email, { text: state.texts.mistakes.email, status: 400 });
  const outcome = await attempt(state.texts, { invalid_body: 'email' }, () =>
    deps.requestPasswordReset(context, email),
  );
  if ('mistake' in outcome) return emailForm(state, email, outcome.mistake);
  return notice(state, state.texts.resetSent, { isDone: true });
}

const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text);

function emailForm(state: PageState, email: string, mistake?: Mistake): HtmlPage {
  const { texts } = state;
  const emailField = field({
    name: 'email',
    label: texts.email,
    type: 'email',
    autocomplete: 'username',
    value: email,
    isAutofocused: true,
    isWrong: mistake !== undefined,
  });
  return layOut(state, {
    title: texts.forgotPassword.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    body: html`<p class="text">${texts.forgotPassword.text}</p>
${problem(mistake?.text)}
${form(state, 'forgot-password', html`${emailField}<button>${texts.forgotPassword.button}</button>`)}`,
  });
}
