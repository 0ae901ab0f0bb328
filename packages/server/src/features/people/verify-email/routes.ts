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
      summary: 'Email the signed-in user a verification link',
      description:
        'The link leads to the project’s `VERIFICATION_URL`, or to a page of the service. It is valid once, for 24 hours.',
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
      summary: 'Verify an email address with the token of the emailed link',
      description: 'For apps with their own verification page. The token can be used once.',
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
