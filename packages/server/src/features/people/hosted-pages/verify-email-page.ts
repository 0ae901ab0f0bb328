import { AppError } from '../../../platform/errors.ts';
import { html } from '../../../platform/http/html.ts';
import type { HtmlAnswer, HtmlPage } from '../../../platform/http/html-page.ts';
import { configOf } from '../../control/index.ts';
import type { HostedPageDeps } from './deps.ts';
import { form, hidden } from './form.ts';
import { layOut, notice } from './layout.ts';
import type { PageCall } from './page-state.ts';

/** Asks for a click: programs that open the links of mails before people do have no effect. */
export async function showVerifyEmail({ state, visit, context }: PageCall): Promise<HtmlPage> {
  const { verifyEmail } = state.texts;
  const token = visit.query.get('token');
  if (!token) return deadLink({ state });
  const target = configOf(context.project).VERIFICATION_SUCCESS_URL;
  return layOut(state, {
    title: verifyEmail.title,
    ...(target !== null && { targets: [target] }),
    body: html`<p class="text">${verifyEmail.text}</p>
${form(state, 'verify-email', html`${hidden({ token })}<button>${verifyEmail.button}</button>`)}`,
  });
}

export async function submitVerifyEmail(
  { verifyEmail }: Pick<HostedPageDeps, 'verifyEmail'>,
  call: PageCall,
): Promise<HtmlAnswer> {
  const { context, visit, state } = call;
  try {
    await verifyEmail(context, visit.fields.get('token') ?? '');
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') return deadLink(call);
    throw error;
  }
  const target = configOf(context.project).VERIFICATION_SUCCESS_URL;
  return target === null ? notice(state, state.texts.emailVerified, { isDone: true }) : { redirect: target };
}

function deadLink({ state }: Pick<PageCall, 'state'>): HtmlPage {
  return notice(state, state.texts.problems.verification, { status: 400, isMistake: true });
}
