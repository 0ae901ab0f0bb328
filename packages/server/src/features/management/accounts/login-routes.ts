import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import { approveLogin, takeLogin } from './logins.ts';
import { newTokenAnswer, nothing, strict } from './schemas.ts';

const tag = 'Accounts';

/** How `plinth login` gets a token without ever seeing a password. */
export function addLoginRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/logins',
      tag,
      operationId: 'approveLogin',
      summary: 'Let a program log in as you',
      description:
        'Approves a program that asks for a token, such as `plinth login`. Valid once, for ten minutes. Only approve what you have just started yourself.',
      body: Type.Object(
        {
          request: Type.String({
            pattern: '^[A-Za-z0-9_-]{43}$',
            description: 'The SHA-256 of the secret that the program has generated, in base64url.',
            examples: ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'],
          }),
        },
        strict,
      ),
      answers: { status: 200, data: nothing },
    },
    async (context, { body }) => {
      await approveLogin(context, body.request);
      return { ...ok(null), audit: { target: body.request.slice(0, 8) } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/logins/take',
      tag,
      operationId: 'takeLogin',
      summary: 'Take the token of an approved login',
      description:
        'For the program that asked: send it every few seconds until the login is approved. Returns a personal access token with write access, valid for 90 days.',
      body: Type.Object(
        {
          secret: Type.String({
            minLength: 32,
            maxLength: 100,
            description: 'The secret whose hash was approved.',
            examples: ['a-secret-that-the-program-has-made-up'],
          }),
          name: Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'The name of the token in the list.',
            examples: ['plinth login on my-laptop'],
          }),
        },
        strict,
      ),
      answers: { status: 201, data: newTokenAnswer },
      failures: [404],
    },
    async (context, { body }) => {
      const { accountId, made } = await takeLogin(context, body);
      const { id: target, name } = made;
      return { ...created({ ...made, projects: null }), audit: { accountId, target, details: { name } } };
    },
  );
}
