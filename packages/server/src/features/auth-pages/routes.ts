import type { PageAnswer } from '../../platform/http/page.ts';
import type { AuthFlowServices } from '../auth-flows/index.ts';
import { configOf, type PageRoute, type ProjectRoutes } from '../projects/index.ts';
import { showForgotPassword, submitForgotPassword } from './forgot-password-page.ts';
import { notice } from './layout.ts';
import { showPhone, submitPhone, submitPhoneCode } from './phone-page.ts';
import { problemPage } from './problem-page.ts';
import { showResetPassword, submitResetPassword } from './reset-password-page.ts';
import { submitResend, submitSecondStep } from './second-step-page.ts';
import { type AuthPageServices, pageServices } from './services.ts';
import { showSignIn, submitSignIn } from './sign-in-page.ts';
import { readSignInRequest, type SignInCall } from './sign-in-request.ts';
import { showVerifyEmail, submitVerifyEmail } from './verify-email-page.ts';
import { callOf, type PageCall, viewOf } from './view.ts';

type Show<Call> = (call: Call) => Promise<PageAnswer>;
type Submit<Call> = (services: AuthPageServices, call: Call) => Promise<PageAnswer>;

/** Pages for the people who use an app: signing in, and what mails lead to. None of them has a script. */
export function addAuthPages(routes: ProjectRoutes, flows: AuthFlowServices): void {
  const services = pageServices(flows);
  const add = (method: PageRoute['method'], name: string, show: Show<PageCall>) =>
    routes.addPage({
      method,
      url: `/auth-collections/${name}`,
      show: (context, visit) => show(callOf(context, visit)),
      fail: (error, visit, project) => problemPage(viewOf(visit, project), error, visit.requestId),
    });
  const submitted = (name: string, submit: Submit<PageCall>) =>
    add('POST', `pages/${name}`, (call) => submit(services, call));
  const signIn = (submit: Submit<SignInCall>): Submit<PageCall> => withSignInRequest(submit);

  add('GET', 'verify-email', showVerifyEmail);
  submitted('verify-email', submitVerifyEmail);
  add('GET', 'reset-password', showResetPassword);
  submitted('reset-password', submitResetPassword);
  add('GET', 'forgot-password', showForgotPassword);
  submitted('forgot-password', submitForgotPassword);

  add('GET', 'login', (call) => signIn((_, call) => showSignIn(call))(services, call));
  submitted('login', signIn(submitSignIn));
  submitted('second-step', signIn(submitSecondStep));
  submitted('second-step-code', signIn(submitResend));
  add('GET', 'phone', (call) => signIn(withPhoneLogin((_, call) => showPhone(call)))(services, call));
  submitted('phone', signIn(withPhoneLogin(submitPhone)));
  submitted('phone-code', signIn(withPhoneLogin(submitPhoneCode)));

  // Whoever opens the address of a form again, without the form.
  add('GET', 'pages/:name', async ({ view }) =>
    notice(view, view.texts.problems.notOnItsOwn, { status: 404, isMistake: true }),
  );
}

/** Reads what the app asks for, anew with every page; what is wrong with that is told to its developer. */
function withSignInRequest(submit: Submit<SignInCall>): Submit<PageCall> {
  return async (services, call) => {
    const { visit, view, context } = call;
    const given = visit.fields.size > 0 ? visit.fields : visit.query;
    const request = readSignInRequest(services, context.project, given);
    if (typeof request === 'object') return submit(services, { ...call, request });
    const { setup } = view.texts;
    return notice(view, { title: setup.title, text: setup[request] }, { status: 400, isMistake: true });
  };
}

function withPhoneLogin(submit: Submit<SignInCall>): Submit<SignInCall> {
  return async (services, call) => {
    if (configOf(call.context.project).ENABLE_PHONE_LOGIN) return submit(services, call);
    return notice(call.view, call.view.texts.problems.noPhoneLogin, { status: 404, isMistake: true });
  };
}
