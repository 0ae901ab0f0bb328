import { AppError } from '../../platform/errors.ts';
import { html } from '../../platform/http/html.ts';
import type { Page, PageAnswer } from '../../platform/http/page.ts';
import { configOf } from '../projects/index.ts';
import { form, hidden } from './form.ts';
import { layOut, notice } from './layout.ts';
import type { AuthPageServices } from './services.ts';
import type { PageCall } from './view.ts';

/** Asks for a click: programs that open the links of mails before people do have no effect. */
export async function showVerifyEmail({ view, visit, context }: PageCall): Promise<Page> {
  const { verifyEmail } = view.texts;
  const token = visit.query.get('token');
  if (!token) return deadLink({ view });
  const target = configOf(context.project).VERIFICATION_SUCCESS_URL;
  return layOut(view, {
    title: verifyEmail.title,
    ...(target !== null && { targets: [target] }),
    body: html`<p class="text">${verifyEmail.text}</p>
${form(view, 'verify-email', html`${hidden({ token })}<button>${verifyEmail.button}</button>`)}`,
  });
}

export async function submitVerifyEmail(
  { verifyEmail }: Pick<AuthPageServices, 'verifyEmail'>,
  call: PageCall,
): Promise<PageAnswer> {
  const { context, visit, view } = call;
  try {
    await verifyEmail(context, visit.fields.get('token') ?? '');
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') return deadLink(call);
    throw error;
  }
  const target = configOf(context.project).VERIFICATION_SUCCESS_URL;
  return target === null ? notice(view, view.texts.emailVerified, { isDone: true }) : { redirect: target };
}

function deadLink({ view }: Pick<PageCall, 'view'>): Page {
  return notice(view, view.texts.problems.verification, { status: 400, isMistake: true });
}
