import { type ProjectRoutes, type RequestContext, routeGroup } from '../../../calls/index.ts';
import {
  admit,
  admitSignIn,
  repeatSignIn,
  signedIn,
  signedInAnswer,
  signIn,
  signInAnswer,
  signInOf,
} from '../sessions/index.ts';
import { checkPassword } from './check-password.ts';
import type { PasswordDeps } from './deps.ts';
import { changePasswordBody, signInBody } from './schemas.ts';
import { changePassword, checkPasswordChange } from './set-password.ts';

export function addPasswordRoutes(routes: ProjectRoutes, deps: PasswordDeps): void {
  const route = routeGroup({
    url: '/auth-collections',
    method: 'POST',
    scope: 'users',
    tag: 'App users',
    isSecret: true,
    failures: [400],
    replay: (context: RequestContext, kept: string) => repeatSignIn(deps, context, kept, 200),
  });
  routes.add(
    route('/login', {
      operationId: 'logIn',
      summary: 'Log in',
      description:
        'If a second step is required, the response has a `challenge` instead of a token: complete it at `2fa/verify`. An unknown address and a wrong password get the same response.',
      access: 'anyone',
      body: signInBody,
      answers: signInAnswer,
      prepare: (context, { body }) => checkPassword(deps, context, body),
      guard: (context, { prepared }, guards) => admitSignIn(deps, context, prepared, guards),
    }),
    (context, { prepared, guarded }) => signIn(deps, context, prepared, guarded),
  );
  routes.add(
    route('/change-password', {
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'All earlier tokens are revoked; the response has a new one.',
      access: 'user',
      body: changePasswordBody,
      answers: signedInAnswer(200),
      prepare: (context, { body }) => checkPasswordChange(deps, context, body),
      guard: async (context, _input, guards) => {
        const { id } = signedIn(context);
        return admit(await signInOf(context, id, 'password'), guards);
      },
    }),
    (context, { prepared, guarded }) => changePassword(deps, context, prepared, guarded),
  );
}
