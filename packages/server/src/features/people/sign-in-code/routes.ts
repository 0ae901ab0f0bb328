import { Type } from 'typebox';
import type { ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { admit, repeatSignIn, type SessionDeps, signedInAnswer, startSession } from '../sessions/index.ts';
import { takeSignInCode } from './sign-in-code.ts';

const exchangeBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The code returned to `redirect_uri`; valid once, for two minutes.',
      examples: ['Jm2bW0uT5nC8'],
    }),
    redirect_uri: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'The one that the sign-in was started with.',
      examples: ['https://app.example.com/signed-in'],
    }),
    code_verifier: Type.Optional(
      Type.String({
        minLength: 43,
        maxLength: 128,
        description: 'The PKCE verifier, if the sign-in was started with a `code_challenge`.',
        examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
      }),
    ),
  },
  { additionalProperties: false },
);

export function addSignInCodeRoutes(routes: ProjectRoutes, { users }: { readonly users: SessionDeps }): void {
  routes.add(
    flowRoute('exchange', {
      operationId: 'exchangeCode',
      summary: 'Exchange the code of a hosted sign-in for a token',
      description: 'The hosted pages redirect back with `code`, never with a token: URLs may end up in logs.',
      access: 'anyone',
      body: exchangeBody,
      answers: signedInAnswer(200),
      usesUp: true,
      prepare: (context, { body }) => takeSignInCode(users, context, body),
      guard: (_context, { prepared }, guards) => admit(prepared, guards),
      replay: (context, kept) => repeatSignIn(users, context, kept, 200),
    }),
    (context, { prepared, guarded }) => startSession(users, context, prepared, { admission: guarded }),
  );
}
