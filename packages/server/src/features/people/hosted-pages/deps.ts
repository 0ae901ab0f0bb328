import type { Project, RequestContext } from '../../../calls/index.ts';
import { isAllowedRedirect } from '../identities/index.ts';
import { checkPassword } from '../passwords/index.ts';
import { checkPhoneSignIn, sendPhoneCode } from '../phone-sign-in/index.ts';
import { isResetToken, prepareReset, requestPasswordReset, resetPassword } from '../reset-password/index.ts';
import { beginSecondStep, completeSecondStep, resendCode } from '../second-step/index.ts';
import { issueSignInCode } from '../sign-in-code/index.ts';
import type { SignInFlowDeps } from '../sign-in-flows/index.ts';
import { type SignIn } from '../user-records/index.ts';
import { verifyEmail } from '../verify-email/index.ts';

/** A sign-in that needs more than the right password. */
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
export interface HostedPageDeps {
  verifyEmail(context: RequestContext, token: string): Promise<void>;
  requestPasswordReset(context: RequestContext, email: string): Promise<void>;
  /** Can a password be reset with it? */
  isResetToken(context: RequestContext, token: string): Promise<boolean>;
  resetPassword(context: RequestContext, given: { token: string; newPassword: string }): Promise<void>;
  checkPassword(context: RequestContext, given: { email: string; password: string }): Promise<SignIn>;
  /** What is asked for after a first proof, if anything is. */
  secondStep(context: RequestContext, login: SignIn): Promise<SecondStep | undefined>;
  completeSecondStep(context: RequestContext, given: { challenge: string; code: string }): Promise<SignIn>;
  resendCode(context: RequestContext, challenge: string): Promise<void>;
  sendPhoneCode(context: RequestContext, phone: string): Promise<void>;
  checkPhoneSignIn(context: RequestContext, given: { phone: string; code: string }): Promise<SignIn>;
  /** A code that the app trades for a token, once. */
  issueSignInCode(context: RequestContext, login: SignIn, target: Target): Promise<string>;
  isAllowedRedirect(project: Project, address: string): boolean;
}

export function hostedPageDeps(flows: SignInFlowDeps): HostedPageDeps {
  return {
    verifyEmail: (context, token) => verifyEmail(flows, context, token),
    requestPasswordReset: (context, email) => requestPasswordReset(flows, context, email),
    isResetToken,
    resetPassword: async (context, given) =>
      resetPassword(flows, context, await prepareReset(flows, context, given)),
    checkPassword: (context, given) => checkPassword(flows.users, context, given),
    secondStep: (context, login) =>
      context.db.transaction((db) => beginSecondStep(flows, { ...context, db }, login)),
    completeSecondStep: (context, given) => completeSecondStep(flows, context, given),
    resendCode: (context, challenge) => resendCode(flows, context, challenge),
    sendPhoneCode: (context, phone) => sendPhoneCode(flows, context, { phone }),
    checkPhoneSignIn: (context, given) => checkPhoneSignIn(flows, context, given),
    issueSignInCode,
    isAllowedRedirect,
  };
}
