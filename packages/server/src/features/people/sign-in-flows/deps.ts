import type { PhoneSignInDeps } from '../phone-sign-in/index.ts';
import type { ResetPasswordDeps } from '../reset-password/index.ts';
import type { ChallengeDeps, SecondStepDeps } from '../second-step/index.ts';
import type { VerificationMailDeps, VerifyEmailDeps } from '../verify-email/index.ts';

/** What the mails and second steps of app users need of the rest of the service. They know no app users. */
export interface UserFlowDeps extends VerificationMailDeps, ChallengeDeps {}

/** What all flows around a sign-in need of the rest of the service. */
export interface SignInFlowDeps extends VerifyEmailDeps, ResetPasswordDeps, SecondStepDeps, PhoneSignInDeps {}
