import { type PageRoute, type ProjectRoutes } from '../../../calls/index.ts';
import type { HtmlAnswer } from '../../../platform/http/html-page.ts';
import { configOf } from '../../control/index.ts';
import type { SignInFlowDeps } from '../sign-in-flows/index.ts';
import { type HostedPageDeps, hostedPageDeps } from './deps.ts';
import { showForgotPassword, submitForgotPassword } from './forgot-password-page.ts';
import { notice } from './layout.ts';
import { callOf, type PageCall, pageStateOf } from './page-state.ts';
import { showPhone, submitPhone, submitPhoneCode } from './phone-page.ts';
import { problemPage } from './problem-page.ts';
import { showResetPassword, submitResetPassword } from './reset-password-page.ts';
import { submitResend, submitSecondStep } from './second-step-page.ts';
import { showSignIn, submitSignIn } from './sign-in-page.ts';
import { readSignInRequest, type SignInCall } from './sign-in-request.ts';
import { showVerifyEmail, submitVerifyEmail } from './verify-email-page.ts';

type Show<Call> = (call: Call) => Promise<HtmlAnswer>;
type Submit<Call> = (deps: HostedPageDeps, call: Call) => Promise<HtmlAnswer>;

/** Pages for the people who use an app: signing in, and what mails lead to. None of them has a script. */
export function addHostedPages(routes: ProjectRoutes, flows: SignInFlowDeps): void {
  const deps = hostedPageDeps(flows);
  const add = (method: PageRoute['method'], name: string, show: Show<PageCall>) =>
    routes.addPage({
      method,
      url: `/auth-collections/${name}`,
      show: (context, visit) => show(callOf(context, visit)),
      fail: (error, visit, project) => problemPage(pageStateOf(visit, project), error, visit.requestId),
    });
  const submitted = (name: string, submit: Submit<PageCall>) =>
    add('POST', `pages/${name}`, (call) => submit(deps, call));
  const signIn = (submit: Submit<SignInCall>): Submit<PageCall> => withSignInRequest(submit);

  add('GET', 'verify-email', showVerifyEmail);
  submitted('verify-email', submitVerifyEmail);
  add('GET', 'reset-password', (call) => showResetPassword(deps, call));
  submitted('reset-password', submitResetPassword);
  add('GET', 'forgot-password', showForgotPassword);
  submitted('forgot-password', submitForgotPassword);

  add('GET', 'login', (call) => signIn((_, call) => showSignIn(call))(deps, call));
  submitted('login', signIn(submitSignIn));
  submitted('second-step', signIn(submitSecondStep));
  submitted('second-step-code', signIn(submitResend));
  add('GET', 'phone', (call) => signIn(withPhoneSignIn((_, call) => showPhone(call)))(deps, call));
  submitted('phone', signIn(withPhoneSignIn(submitPhone)));
  submitted('phone-code', signIn(withPhoneSignIn(submitPhoneCode)));

  // For people who open the address of a form again, without the form.
  add('GET', 'pages/:name', async ({ state }) =>
    notice(state, state.texts.problems.notOnItsOwn, { status: 404, isMistake: true }),
  );
}

/** Reads what the app asks for, with every page anew. A mistake in it is shown for the app's developer. */
function withSignInRequest(submit: Submit<SignInCall>): Submit<PageCall> {
  return async (deps, call) => {
    const { visit, state, context } = call;
    const given = visit.fields.size > 0 ? visit.fields : visit.query;
    const request = readSignInRequest(deps, context.project, given);
    if (typeof request === 'object') return submit(deps, { ...call, request });
    const { setup } = state.texts;
    return notice(state, { title: setup.title, text: setup[request] }, { status: 400, isMistake: true });
  };
}

function withPhoneSignIn(submit: Submit<SignInCall>): Submit<SignInCall> {
  return async (deps, call) => {
    if (configOf(call.context.project).ENABLE_PHONE_LOGIN) return submit(deps, call);
    return notice(call.state, call.state.texts.problems.noPhoneLogin, { status: 404, isMistake: true });
  };
}
