import type { ProjectRoutes } from '../../../calls/index.ts';
import { addPhoneSignInRoutes } from '../phone-sign-in/index.ts';
import { addResetPasswordRoutes } from '../reset-password/index.ts';
import { addSecondStepRoutes } from '../second-step/index.ts';
import { addSignInCodeRoutes } from '../sign-in-code/index.ts';
import { addVerifyEmailRoutes } from '../verify-email/index.ts';
import type { SignInFlowDeps } from './deps.ts';

export function addSignInFlowRoutes(routes: ProjectRoutes, deps: SignInFlowDeps): void {
  addVerifyEmailRoutes(routes, deps);
  addResetPasswordRoutes(routes, deps);
  addSecondStepRoutes(routes, deps);
  addSignInCodeRoutes(routes, deps);
  addPhoneSignInRoutes(routes, deps);
}
