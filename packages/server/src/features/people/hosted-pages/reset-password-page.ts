import { AppError } from '../../../platform/errors.ts';
import { html } from '../../../platform/http/html.ts';
import type { HtmlPage } from '../../../platform/http/html-page.ts';
import { loginUrlOf } from '../../control/index.ts';
import type { HostedPageDeps } from './deps.ts';
import { addressOf, buttonLink, field, form, hidden, problem } from './form.ts';
import { layOut, notice } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { PageCall, PageState } from './page-state.ts';

const passwordLength = [8, 256] as const;

/** The form for a new password, if the link is still good; looking at it uses nothing up. */
export async function showResetPassword(
  deps: Pick<HostedPageDeps, 'isResetToken'>,
  { context, state, visit }: PageCall,
): Promise<HtmlPage> {
  const token = visit.query.get('token') ?? '';
  return (await deps.isResetToken(context, token)) ? resetForm(state, token) : deadLink(state);
}

export async function submitResetPassword(
  deps: Pick<HostedPageDeps, 'resetPassword'>,
  { context, visit, state }: PageCall,
): Promise<HtmlPage> {
  const token = visit.fields.get('token') ?? '';
  const newPassword = visit.fields.get('new_password') ?? '';
  if (!isPasswordLength(newPassword)) {
    return resetForm(state, token, { text: state.texts.mistakes.password, status: 400 });
  }
  try {
    const outcome = await attempt(state.texts, { weak_password: 'commonPassword' }, () =>
      deps.resetPassword(context, { token, newPassword }),
    );
    if ('mistake' in outcome) return resetForm(state, token, outcome.mistake);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') return deadLink(state);
    throw error;
  }
  const next = loginUrlOf(context.project);
  const { passwordReset } = state.texts;
  return notice(state, passwordReset, {
    isDone: true,
    ...(next !== undefined && { after: buttonLink(passwordReset.link, next) }),
  });
}

/** Counted as people do, not in halves of surrogate pairs. */
function isPasswordLength(password: string): boolean {
  const { length } = Array.from(password);
  return length >= passwordLength[0] && length <= passwordLength[1];
}

function resetForm(state: PageState, token: string, mistake?: Mistake): HtmlPage {
  const { texts } = state;
  return layOut(state, {
    title: texts.resetPassword.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    body: html`<p class="text">${texts.resetPassword.text}</p>
${problem(mistake?.text)}
${form(
  state,
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

function deadLink(state: PageState): HtmlPage {
  const { link } = state.texts.problems;
  const after = buttonLink(link.newLink, addressOf(state, 'forgot-password'));
  return notice(state, link, { status: 400, isMistake: true, after });
}
