import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { admit, repeatSignIn, signedInAnswer, startSession } from '../sessions/index.ts';
import type { SecondStepDeps } from './deps.ts';
import { addAuthenticatorRoutes, addChoiceRoutes } from './own-routes.ts';
import { challengeBody, secondStepBody } from './schemas.ts';
import { completeSecondStep, resendCode } from './second-step.ts';

export function addSecondStepRoutes(routes: ProjectRoutes, deps: SecondStepDeps): void {
  routes.add(
    flowRoute('2fa/verify', {
      operationId: 'completeSecondStep',
      summary: 'Complete a sign-in with its second step',
      description:
        'The code is the emailed one, the one shown by the authenticator app, or a recovery code. After a few wrong codes, the sign-in must be started again.',
      access: 'anyone',
      body: secondStepBody,
      answers: signedInAnswer(200),
      usesUp: true,
      prepare: (context, { body }) => completeSecondStep(deps, context, body),
      guard: (_context, { prepared }, guards) => admit(prepared, guards),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared, guarded }) => startSession(deps.users, context, prepared, { admission: guarded }),
  );
  routes.add(
    flowRoute('2fa/resend', {
      operationId: 'resendCode',
      summary: 'Email another code for a sign-in waiting for its second step',
      description: 'For when the first one did not arrive. The challenge stays the same.',
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
