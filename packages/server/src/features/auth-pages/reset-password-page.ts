import { AppError } from '../../platform/errors.ts';
import { html } from '../../platform/http/html.ts';
import type { Page } from '../../platform/http/page.ts';
import { loginUrlOf } from '../projects/index.ts';
import { addressOf, buttonLink, field, form, hidden, problem } from './form.ts';
import { layOut, notice } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { AuthPageServices } from './services.ts';
import type { PageCall, View } from './view.ts';

const passwordLength = [8, 256] as const;

/** The form for a new password; looking at it uses nothing up. */
export async function showResetPassword({ view, visit }: PageCall): Promise<Page> {
  const token = visit.query.get('token');
  return token ? resetForm(view, token) : deadLink(view);
}

export async function submitResetPassword(
  services: Pick<AuthPageServices, 'resetPassword'>,
  { context, visit, view }: PageCall,
): Promise<Page> {
  const token = visit.fields.get('token') ?? '';
  const newPassword = visit.fields.get('new_password') ?? '';
  if (!isPasswordLength(newPassword)) {
    return resetForm(view, token, { text: view.texts.mistakes.password, status: 400 });
  }
  try {
    const outcome = await attempt(view.texts, {}, () =>
      services.resetPassword(context, { token, newPassword }),
    );
    if ('mistake' in outcome) return resetForm(view, token, outcome.mistake);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') return deadLink(view);
    throw error;
  }
  const next = loginUrlOf(context.project);
  const { passwordReset } = view.texts;
  return notice(view, passwordReset, {
    isDone: true,
    ...(next !== undefined && { after: buttonLink(passwordReset.link, next) }),
  });
}

/** Counted as people do, not in halves of surrogate pairs. */
function isPasswordLength(password: string): boolean {
  const { length } = Array.from(password);
  return length >= passwordLength[0] && length <= passwordLength[1];
}

function resetForm(view: View, token: string, mistake?: Mistake): Page {
  const { texts } = view;
  return layOut(view, {
    title: texts.resetPassword.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    body: html`<p class="text">${texts.resetPassword.text}</p>
${problem(mistake?.text)}
${form(
  view,
  'reset-password',
  html`${hidden({ token })}
${field({
  name: 'new_password',
  label: texts.newPassword,
  hint: texts.newPasswordHint,
  type: 'password',
  autocomplete: 'new-password',
  length: passwordLength,
  isAutofocused: true,
  isWrong: mistake !== undefined,
})}
<button>${texts.resetPassword.button}</button>`,
)}`,
  });
}

function deadLink(view: View): Page {
  const { link } = view.texts.problems;
  const after = buttonLink(link.newLink, addressOf(view, 'forgot-password'));
  return notice(view, link, { status: 400, isMistake: true, after });
}
