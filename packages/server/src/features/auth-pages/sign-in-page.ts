import { html } from '../../platform/http/html.ts';
import type { Page, PageAnswer } from '../../platform/http/page.ts';
import { configOf } from '../projects/index.ts';
import { continueSignIn } from './continue-sign-in.ts';
import { addressOf, field, form, hidden, links, problem } from './form.ts';
import { layOut } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { AuthPageServices } from './services.ts';
import type { SignInCall } from './sign-in-request.ts';

/** E-mail and password. */
export async function showSignIn(call: SignInCall): Promise<Page> {
  return signInForm(call, '');
}

export async function submitSignIn(services: AuthPageServices, call: SignInCall): Promise<PageAnswer> {
  const { context, visit, view } = call;
  const email = (visit.fields.get('email') ?? '').trim();
  const password = visit.fields.get('password') ?? '';
  const outcome = await attempt(view.texts, { invalid_login: 'login' }, () =>
    services.checkLogin(context, { email, password }),
  );
  if ('mistake' in outcome) return signInForm(call, email, outcome.mistake);
  return continueSignIn(services, call, outcome.result);
}

function signInForm({ view, context, request }: SignInCall, email: string, mistake?: Mistake): Page {
  const { texts } = view;
  const isWrong = mistake !== undefined;
  const fields = html`${hidden(request.carried)}
${field({ name: 'email', label: texts.email, type: 'email', autocomplete: 'username', value: email, isWrong })}
${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', isWrong })}
<button>${texts.signIn.button}</button>`;
  const hasPhone = configOf(context.project).ENABLE_PHONE_LOGIN;
  return layOut(view, {
    title: texts.signIn.title,
    status: mistake?.status ?? 200,
    isMistake: isWrong,
    targets: [request.redirectUri],
    body: html`${problem(mistake?.text)}
${form(view, 'login', fields)}
${links(
  [texts.signIn.forgot, addressOf(view, 'forgot-password')],
  hasPhone ? [texts.signIn.byPhone, addressOf(view, 'phone', request.carried)] : undefined,
)}`,
  });
}
