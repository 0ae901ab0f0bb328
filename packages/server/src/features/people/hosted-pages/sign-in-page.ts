import { html } from '../../../platform/http/html.ts';
import type { HtmlAnswer, HtmlPage } from '../../../platform/http/html-page.ts';
import { configOf } from '../../control/index.ts';
import type { HostedPageDeps } from './deps.ts';
import { addressOf, field, form, hidden, links, problem } from './form.ts';
import { layOut } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import { continueSignIn } from './second-step-page.ts';
import type { SignInCall } from './sign-in-request.ts';

/** E-mail and password. */
export async function showSignIn(call: SignInCall): Promise<HtmlPage> {
  return signInForm(call, '');
}

export async function submitSignIn(deps: HostedPageDeps, call: SignInCall): Promise<HtmlAnswer> {
  const { context, visit, state } = call;
  const email = (visit.fields.get('email') ?? '').trim();
  const password = visit.fields.get('password') ?? '';
  const outcome = await attempt(state.texts, { invalid_login: 'login' }, () =>
    deps.checkPassword(context, { email, password }),
  );
  if ('mistake' in outcome) return signInForm(call, email, outcome.mistake);
  return continueSignIn(deps, call, outcome.result);
}

function signInForm({ state, context, request }: SignInCall, email: string, mistake?: Mistake): HtmlPage {
  const { texts } = state;
  const isWrong = mistake !== undefined;
  const fields = html`${hidden(request.carried)}
${field({ name: 'email', label: texts.email, type: 'email', autocomplete: 'username', value: email, isWrong })}
${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', isWrong })}
<button>${texts.signIn.button}</button>`;
  const hasPhone = configOf(context.project).ENABLE_PHONE_LOGIN;
  return layOut(state, {
    title: texts.signIn.title,
    status: mistake?.status ?? 200,
    isMistake: isWrong,
    targets: [request.redirectUri],
    body: html`${problem(mistake?.text)}
${form(state, 'login', fields)}
${links(
  [texts.signIn.forgot, addressOf(state, 'forgot-password')],
  hasPhone ? [texts.signIn.byPhone, addressOf(state, 'phone', request.carried)] : undefined,
)}`,
  });
}
