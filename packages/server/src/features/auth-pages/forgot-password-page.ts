import { html } from '../../platform/http/html.ts';
import type { Page } from '../../platform/http/page.ts';
import { field, form, problem } from './form.ts';
import { layOut, notice } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { AuthPageServices } from './services.ts';
import type { PageCall, View } from './view.ts';

export async function showForgotPassword({ view }: PageCall): Promise<Page> {
  return emailForm(view, '');
}

/** Says the same whether there is such an account or not. */
export async function submitForgotPassword(
  services: Pick<AuthPageServices, 'requestPasswordReset'>,
  { context, visit, view }: PageCall,
): Promise<Page> {
  const email = (visit.fields.get('email') ?? '').trim();
  if (!isEmail(email)) return emailForm(view, email, { text: view.texts.mistakes.email, status: 400 });
  const outcome = await attempt(view.texts, { invalid_body: 'email' }, () =>
    services.requestPasswordReset(context, email),
  );
  if ('mistake' in outcome) return emailForm(view, email, outcome.mistake);
  return notice(view, view.texts.resetSent, { isDone: true });
}

const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text);

function emailForm(view: View, email: string, mistake?: Mistake): Page {
  const { texts } = view;
  const emailField = field({
    name: 'email',
    label: texts.email,
    type: 'email',
    autocomplete: 'username',
    value: email,
    isAutofocused: true,
    isWrong: mistake !== undefined,
  });
  return layOut(view, {
    title: texts.forgotPassword.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    body: html`<p class="text">${texts.forgotPassword.text}</p>
${problem(mistake?.text)}
${form(view, 'forgot-password', html`${emailField}<button>${texts.forgotPassword.button}</button>`)}`,
  });
}
