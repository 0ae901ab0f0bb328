import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute, tokenField } from '../one-time-secrets/index.ts';
import type { VerifyEmailDeps } from './deps.ts';
import { sendVerification, verifyEmail } from './verify-email.ts';

const tokenBody = Type.Object({ token: tokenField }, { additionalProperties: false });

export function addVerifyEmailRoutes(routes: ProjectRoutes, deps: VerifyEmailDeps): void {
  routes.add(
    flowRoute('verify-email/send', {
      operationId: 'sendVerification',
      summary: 'Mail the signed-in user a link that verifies its address',
      description:
        'The link leads to the project’s `VERIFICATION_URL`, or to a page of the service. It is good for 24 hours and once.',
      access: 'user',
    }),
    async (context) => {
      await sendVerification(deps, context);
      return ok({ sent: true });
    },
  );
  routes.add(
    flowRoute('verify-email', {
      operationId: 'verifyEmail',
      summary: 'Verify an e-mail address with the token of the mailed link',
      description: 'For apps that have a page of their own for it. The token is good once.',
      access: 'anyone',
      body: tokenBody,
      answers: { status: 200, data: Type.Object({ email_verified: Type.Literal(true) }) },
    }),
    async (context, { body }) => {
      await verifyEmail(deps, context, body.token);
      return ok({ email_verified: true });
    },
  );
}
