import { html } from '../../../platform/http/html.ts';
import type { HtmlAnswer, HtmlPage } from '../../../platform/http/html-page.ts';
import type { HostedPageDeps } from './deps.ts';
import { addressOf, codeLengthOf, field, form, hidden, links, problem } from './form.ts';
import { layOut } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import { continueSignIn } from './second-step-page.ts';
import type { SignInCall } from './sign-in-request.ts';

/** The number that a code is sent to. */
export async function showPhone(call: SignInCall): Promise<HtmlPage> {
  return phoneForm(call, '');
}

/** Goes on in the same way whether the number is known or not. */
export async function submitPhone(deps: HostedPageDeps, call: SignInCall): Promise<HtmlPage> {
  const { context, visit, state } = call;
  const phone = (visit.fields.get('phone') ?? '').trim();
  const outcome = await attempt(state.texts, { invalid_body: 'phone' }, () =>
    deps.sendPhoneCode(context, phone),
  );
  return 'mistake' in outcome ? phoneForm(call, phone, outcome.mistake) : codeForm(call, phone);
}

export async function submitPhoneCode(deps: HostedPageDeps, call: SignInCall): Promise<HtmlAnswer> {
  const { context, visit, state } = call;
  const phone = (visit.fields.get('phone') ?? '').trim();
  const code = (visit.fields.get('code') ?? '').replaceAll(/\s/g, '');
  const outcome = await attempt(state.texts, { invalid_code: 'code', invalid_body: 'code' }, () =>
    deps.checkPhoneSignIn(context, { phone, code }),
  );
  if ('mistake' in outcome) return codeForm(call, phone, outcome.mistake);
  return continueSignIn(deps, call, outcome.result);
}

function phoneForm({ state, request }: SignInCall, phone: string, mistake?: Mistake): HtmlPage {
  const { texts } = state;
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
  return layOut(state, {
    title: texts.phoneSignIn.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    targets: [request.redirectUri],
    body: html`<p class="text">${texts.phoneSignIn.text}</p>
${problem(mistake?.text)}
${form(state, 'phone', fields)}
${links([texts.signIn.byEmail, addressOf(state, 'login', request.carried)])}`,
  });
}

function codeForm({ state, context, request }: SignInCall, phone: string, mistake?: Mistake): HtmlPage {
  const { phoneCode, code } = state.texts;
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
<button class="second" formaction="${state.up}pages/phone" formnovalidate>${phoneCode.resend}</button>`;
  return layOut(state, {
    title: phoneCode.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    targets: [request.redirectUri],
    body: html`<p class="text">${phoneCode.text(phone)}</p>
${problem(mistake?.text)}
${form(state, 'phone-code', fields)}
${links([phoneCode.otherNumber, addressOf(state, 'phone', request.carried)])}`,
  });
}
