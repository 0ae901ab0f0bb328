import { html } from '../../platform/http/html.ts';
import type { Page, PageAnswer } from '../../platform/http/page.ts';
import { continueSignIn } from './continue-sign-in.ts';
import { addressOf, codeLengthOf, field, form, hidden, links, problem } from './form.ts';
import { layOut } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import type { AuthPageServices } from './services.ts';
import type { SignInCall } from './sign-in-request.ts';

/** The number that a code is sent to. */
export async function showPhone(call: SignInCall): Promise<Page> {
  return phoneForm(call, '');
}

/** Goes on in the same way whether the number is known or not. */
export async function submitPhone(services: AuthPageServices, call: SignInCall): Promise<Page> {
  const { context, visit, view } = call;
  const phone = (visit.fields.get('phone') ?? '').trim();
  const outcome = await attempt(view.texts, { invalid_body: 'phone' }, () =>
    services.sendPhoneCode(context, phone),
  );
  return 'mistake' in outcome ? phoneForm(call, phone, outcome.mistake) : codeForm(call, phone);
}

export async function submitPhoneCode(services: AuthPageServices, call: SignInCall): Promise<PageAnswer> {
  const { context, visit, view } = call;
  const phone = (visit.fields.get('phone') ?? '').trim();
  const code = (visit.fields.get('code') ?? '').replaceAll(/\s/g, '');
  const outcome = await attempt(view.texts, { invalid_code: 'code', invalid_body: 'code' }, () =>
    services.checkPhoneLogin(context, { phone, code }),
  );
  if ('mistake' in outcome) return codeForm(call, phone, outcome.mistake);
  return continueSignIn(services, call, outcome.result);
}

function phoneForm({ view, request }: SignInCall, phone: string, mistake?: Mistake): Page {
  const { texts } = view;
  const fields = html`${hidden(request.carried)}
${field({
  name: 'phone',
  label: texts.phone,
  hint: texts.phoneHint,
  type: 'tel',
  autocomplete: 'tel',
  value: phone,
  isAutofocused: true,
  isWrong: mistake !== undefined,
})}
<button>${texts.phoneSignIn.button}</button>`;
  return layOut(view, {
    title: texts.phoneSignIn.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    targets: [request.redirectUri],
    body: html`<p class="text">${texts.phoneSignIn.text}</p>
${problem(mistake?.text)}
${form(view, 'phone', fields)}
${links([texts.signIn.byEmail, addressOf(view, 'login', request.carried)])}`,
  });
}

function codeForm({ view, context, request }: SignInCall, phone: string, mistake?: Mistake): Page {
  const { phoneCode, code } = view.texts;
  const fields = html`${hidden({ ...request.carried, phone })}
${field({
  name: 'code',
  label: code,
  type: 'text',
  autocomplete: 'one-time-code',
  code: 'digits',
  length: codeLengthOf(context.project),
  isAutofocused: true,
  isWrong: mistake !== undefined,
})}
<button>${phoneCode.button}</button>
<button class="second" formaction="${view.up}pages/phone" formnovalidate>${phoneCode.resend}</button>`;
  return layOut(view, {
    title: phoneCode.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    targets: [request.redirectUri],
    body: html`<p class="text">${phoneCode.text(phone)}</p>
${problem(mistake?.text)}
${form(view, 'phone-code', fields)}
${links([phoneCode.otherNumber, addressOf(view, 'phone', request.carried)])}`,
  });
}
