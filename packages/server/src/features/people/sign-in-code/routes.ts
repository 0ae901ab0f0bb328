import { Type } from 'typebox';
import type { ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { repeatSignIn, type SessionDeps, signedInSchema, startSession } from '../sessions/index.ts';
import { takeSignInCode } from './sign-in-code.ts';

const exchangeBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200 }),
    redirect_uri: Type.String({ minLength: 1, maxLength: 2000 }),
    code_verifier: Type.Optional(Type.String({ minLength: 43, maxLength: 128 })),
  },
  { additionalProperties: false },
);

export function addSignInCodeRoutes(routes: ProjectRoutes, { users }: { readonly users: SessionDeps }): void {
  routes.add(
    flowRoute('exchange', {
      operationId: 'exchangeCode',
      summary: 'Trade the code of a hosted sign-in for a token',
      access: 'anyone',
      body: exchangeBody,
      answers: { status: 200, data: signedInSchema },
      usesUp: true,
      prepare: (context, { body }) => takeSignInCode(users, context, body),
      replay: (context, kept) => repeatSignIn(users, context, kept, 200),
    }),
    (context, { prepared }) => startSession(users, context, prepared),
  );
}
