import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { repeatSignIn, signedInSchema, startSession } from '../sessions/index.ts';
import type { SecondStepDeps } from './deps.ts';
import { addAuthenticatorRoutes, addChoiceRoutes } from './own-routes.ts';
import { challengeBody, secondStepBody } from './schemas.ts';
import { completeSecondStep, resendCode } from './second-step.ts';

export function addSecondStepRoutes(routes: ProjectRoutes, deps: SecondStepDeps): void {
  routes.add(
    flowRoute('2fa/verify', {
      operationId: 'completeSecondStep',
      summary: 'Complete a login with its second step',
      access: 'anyone',
      body: secondStepBody,
      answers: { status: 200, data: signedInSchema },
      usesUp: true,
      prepare: (context, { body }) => completeSecondStep(deps, context, body),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared }) => startSession(deps.users, context, prepared),
  );
  routes.add(
    flowRoute('2fa/resend', {
      operationId: 'resendCode',
      summary: 'Mail another code for a login that waits for its second step',
      access: 'anyone',
      body: challengeBody,
    }),
    async (context, { body }) => {
      await resendCode(deps, context, body.challenge);
      return ok({ sent: true });
    },
  );
  addChoiceRoutes(routes);
  addAuthenticatorRoutes(routes, deps);
}
