import { Type } from 'typebox';
import { type ProjectRoutes, type RequestContext, routeGroup } from '../../../calls/index.ts';
import { repeatSignIn, secondStepSchema, signedInSchema, signIn } from '../sessions/index.ts';
import { checkPassword } from './check-password.ts';
import type { PasswordDeps } from './deps.ts';
import { changePasswordBody, signInBody } from './schemas.ts';
import { changePassword, checkPasswordChange } from './set-password.ts';

export function addPasswordRoutes(routes: ProjectRoutes, deps: PasswordDeps): void {
  const route = routeGroup({
    url: '/auth-collections',
    method: 'POST',
    tag: 'App users',
    isSecret: true,
    failures: [400],
    replay: (context: RequestContext, kept: string) => repeatSignIn(deps, context, kept, 200),
  });
  routes.add(
    route('/login', {
      operationId: 'logIn',
      summary: 'Log in',
      access: 'anyone',
      body: signInBody,
      answers: { status: 200, data: Type.Union([signedInSchema, secondStepSchema]) },
      prepare: (context, { body }) => checkPassword(deps, context, body),
    }),
    (context, { prepared }) => signIn(deps, context, prepared),
  );
  routes.add(
    route('/change-password', {
      operationId: 'changePassword',
      summary: 'Change the password; every earlier token ends',
      access: 'user',
      body: changePasswordBody,
      answers: { status: 200, data: signedInSchema },
      prepare: (context, { body }) => checkPasswordChange(deps, context, body),
    }),
    (context, { prepared }) => changePassword(deps, context, prepared),
  );
}
