import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute, tokenField } from '../one-time-secrets/index.ts';
import { password } from '../passwords/index.ts';
import type { ResetPasswordDeps } from './deps.ts';
import { requestPasswordReset } from './request-reset.ts';
import { prepareReset, resetPassword } from './reset-password.ts';

const strict = { additionalProperties: false } as const;
const emailBody = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'Of the user.',
      examples: ['ada@example.com'],
    }),
  },
  strict,
);
const resetBody = Type.Object(
  { token: tokenField, new_password: password },
  { ...strict, examples: [{ token: 'q7XfJm2bW0uT5nC8', new_password: 'battery staple' }] },
);

export function addResetPasswordRoutes(routes: ProjectRoutes, deps: ResetPasswordDeps): void {
  routes.add(
    flowRoute('forgot-password', {
      operationId: 'forgotPassword',
      summary: 'Email a link to set a new password',
      description:
        'The response is the same whether or not a user has the address. The link is valid once, for an hour.',
      access: 'anyone',
      body: emailBody,
    }),
    async (context, { body }) => {
      await requestPasswordReset(deps, context, body.email);
      return ok({ sent: true });
    },
  );
  routes.add(
    flowRoute('reset-password', {
      operationId: 'resetPassword',
      summary: 'Set a new password with the token of the emailed link',
      description: 'Ends all sessions of the user. It does not sign the user in.',
      access: 'anyone',
      body: resetBody,
      answers: { status: 200, data: Type.Object({ reset: Type.Literal(true) }) },
      usesUp: true,
      prepare: (context, { body }) => {
        const { token, new_password: newPassword } = body;
        return prepareReset(deps, context, { token, newPassword });
      },
    }),
    async (context, { prepared }) => {
      await resetPassword(deps, context, prepared);
      return ok({ reset: true });
    },
  );
}
