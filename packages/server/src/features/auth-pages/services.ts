import { checkLogin, type Login } from '../app-users/index.ts';
import {
  type AuthFlowServices,
  beginSecondStep,
  checkPhoneLogin,
  completeSecondStep,
  issueSignInCode,
  prepareReset,
  requestPasswordReset,
  resendCode,
  resetPassword,
  sendPhoneCode,
  verifyEmail,
} from '../auth-flows/index.ts';
import { isAllowedRedirect } from '../identities/index.ts';
import type { Project, RequestContext } from '../projects/index.ts';

/** A sign-in that a right password was not enough for. */
export interface SecondStep {
  readonly challenge: string;
  /** What can be entered: `email`, a mailed code; `totp`, one of an authenticator app; `recovery_code`. */
  readonly methods: readonly string[];
}

interface Target {
  readonly redirectUri: string;
  readonly codeChallenge?: string;
}

/** The flows behind the pages, and nothing else of the service. */
export interface AuthPageServices {
  verifyEmail(context: RequestContext, token: string): Promise<void>;
  requestPasswordReset(context: RequestContext, email: string): Promise<void>;
  resetPassword(context: RequestContext, given: { token: string; newPassword: string }): Promise<void>;
  checkLogin(context: RequestContext, given: { email: string; password: string }): Promise<Login>;
  /** What is asked for after a first proof, if anything is. */
  secondStep(context: RequestContext, login: Login): Promise<SecondStep | undefined>;
  completeSecondStep(context: RequestContext, given: { challenge: string; code: string }): Promise<Login>;
  resendCode(context: RequestContext, challenge: string): Promise<void>;
  sendPhoneCode(context: RequestContext, phone: string): Promise<void>;
  checkPhoneLogin(context: RequestContext, given: { phone: string; code: string }): Promise<Login>;
  /** A code that the app trades for a token, once. */
  issueSignInCode(context: RequestContext, login: Login, target: Target): Promise<string>;
  isAllowedRedirect(project: Project, address: string): boolean;
}

export function pageServices(flows: AuthFlowServices): AuthPageServices {
  return {
    verifyEmail: (context, token) => verifyEmail(flows, context, token),
    requestPasswordReset: (context, email) => requestPasswordReset(flows, context, email),
    resetPassword: async (context, given) =>
      resetPassword(flows, context, await prepareReset(flows, context, given)),
    checkLogin: (context, given) => checkLogin(flows.users, context, given),
    secondStep: (context, login) =>
      context.db.transaction((db) => beginSecondStep(flows, { ...context, db }, login)),
    completeSecondStep: (context, given) => completeSecondStep(flows, context, given),
    resendCode: (context, challenge) => resendCode(flows, context, challenge),
    sendPhoneCode: (context, phone) => sendPhoneCode(flows, context, { phone }),
    checkPhoneLogin: (context, given) => checkPhoneLogin(flows, context, given),
    issueSignInCode,
    isAllowedRedirect,
  };
}
