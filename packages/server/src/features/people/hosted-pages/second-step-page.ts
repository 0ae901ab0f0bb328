import { AppError } from '../../../platform/errors.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { HtmlAnswer, HtmlPage } from '../../../platform/http/html-page.ts';
import type { SignIn } from '../user-records/index.ts';
import type { HostedPageDeps, SecondStep } from './deps.ts';
import { addressOf, buttonLink, codeLengthOf, field, form, hidden, problem } from './form.ts';
import { layOut, notice } from './layout.ts';
import { attempt, type Mistake } from './mistake.ts';
import { finishSignIn, type SignInCall } from './sign-in-request.ts';

/** After a first proof: asks for a second one if the user needs it, else goes back to the app. */
export async function continueSignIn(
  deps: HostedPageDeps,
  call: SignInCall,
  login: SignIn,
): Promise<HtmlAnswer> {
  const step = await deps.secondStep(call.context, login);
  return step ? secondStepForm(call, step) : finishSignIn(deps, call, login);
}

/** The code after the password: mailed, of an authenticator app, or one for emergencies. */
export async function submitSecondStep(deps: HostedPageDeps, call: SignInCall): Promise<HtmlAnswer> {
  const { context, visit, state } = call;
  const step = readStep(call);
  const typed = visit.fields.get('code') ?? visit.fields.get('recovery_code') ?? '';
  const code = typed.replaceAll(/\s/g, '');
  const outcome = await orExpired(call, () =>
    attempt(state.texts, { invalid_code: isMailed(step) ? 'code' : 'appCode' }, () =>
      deps.completeSecondStep(context, { challenge: step.challenge, code }),
    ),
  );
  if ('document' in outcome) return outcome;
  if ('mistake' in outcome) return secondStepForm(call, step, outcome);
  return finishSignIn(deps, call, outcome.result);
}

export async function submitResend(deps: HostedPageDeps, call: SignInCall): Promise<HtmlAnswer> {
  const step = readStep(call);
  const outcome = await orExpired(call, () =>
    attempt(call.state.texts, {}, () => deps.resendCode(call.context, step.challenge)),
  );
  if ('document' in outcome) return outcome;
  return secondStepForm(call, step, 'mistake' in outcome ? outcome : { isResent: true });
}

/** What is carried from page to page only says how the next page looks. */
function readStep({ visit }: SignInCall): SecondStep {
  return {
    challenge: visit.fields.get('challenge') ?? '',
    methods: (visit.fields.get('methods') ?? '').split(' ').filter(Boolean),
  };
}

const isMailed = ({ methods }: SecondStep): boolean => methods.includes('email');

async function orExpired<Result>(call: SignInCall, run: () => Promise<Result>): Promise<Result | HtmlPage> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_challenge') throw error;
    const { texts } = call.state;
    const after = buttonLink(texts.signIn.again, addressOf(call.state, 'login', call.request.carried));
    return notice(call.state, texts.problems.signInExpired, { status: error.status, isMistake: true, after });
  }
}

interface Shown {
  readonly mistake?: Mistake;
  readonly isResent?: boolean;
}

function secondStepForm(call: SignInCall, step: SecondStep, { mistake, isResent }: Shown = {}): HtmlPage {
  const { state, request, context } = call;
  const { secondStep, code } = state.texts;
  // Authenticator apps show a space in the middle.
  const length = isMailed(step) ? codeLengthOf(context.project) : ([6, 7] as const);
  const isRecovery = call.visit.fields.has('recovery_code');
  const codeForm = html`${carriedBy(call, step)}
${field({
  name: 'code',
  label: code,
  type: 'text',
  autocomplete: 'one-time-code',
  code: 'digits',
  length,
  isAutofocused: !isRecovery,
  isWrong: mistake !== undefined && !isRecovery,
})}
<button>${secondStep.button}</button>
${isMailed(step) && html`<button class="second" formaction="${state.up}pages/second-step-code" formnovalidate>${secondStep.resend}</button>`}`;
  return layOut(state, {
    title: secondStep.title,
    status: mistake?.status ?? 200,
    isMistake: mistake !== undefined,
    targets: [request.redirectUri],
    body: html`<p class="text">${isMailed(step) ? secondStep.text : secondStep.appText}</p>
${isResent && html`<p class="news" role="status">${secondStep.resent}</p>`}
${problem(mistake?.text)}
${form(state, 'second-step', codeForm)}
${step.methods.includes('recovery_code') && recoveryForm(call, step, mistake !== undefined && isRecovery)}`,
  });
}

function recoveryForm(call: SignInCall, step: SecondStep, isWrong: boolean): Html {
  const { secondStep } = call.state.texts;
  const label = secondStep.recoveryCode;
  const fields = html`${carriedBy(call, step)}
${field({ name: 'recovery_code', label, type: 'text', autocomplete: 'off', code: 'any', isWrong })}
<button class="second">${secondStep.button}</button>`;
  return html`<details${isWrong && html` open`}><summary>${secondStep.recovery}</summary>
${form(call.state, 'second-step', fields)}
</details>`;
}

function carriedBy({ request }: SignInCall, { challenge, methods }: SecondStep): Html[] {
  return hidden({ ...request.carried, challenge, methods: methods.join(' ') });
}
