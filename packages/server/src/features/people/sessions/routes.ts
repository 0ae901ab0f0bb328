import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import type { SessionDeps } from './deps.ts';
import { endOwnSession, listOwnSessions, signOut } from './own-sessions.ts';
import { checkRefreshToken, refreshSession, refreshValidToken } from './refresh.ts';
import { ownSessionSchema, refreshBody, refreshedAnswer } from './schemas.ts';
import { repeatSignIn } from './sign-in.ts';
import { addUserSessions } from './user-routes.ts';

const route = routeGroup({
  url: '/auth-collections',
  scope: 'users',
  tag: 'App users',
  access: 'user',
  isSecret: true,
  failures: [400],
});

export function addSessionRoutes(routes: ProjectRoutes, deps: SessionDeps): void {
  addRefresh(routes, deps);
  addUserSessions(routes);
  routes.add(
    route('/logout', {
      method: 'POST',
      operationId: 'logOut',
      summary: 'Sign out',
      description:
        'Ends the session: the token that was sent, and all others of the session, are no longer accepted.',
      answers: { status: 200, data: Type.Object({ ended: Type.Literal(true) }) },
    }),
    async (context) => {
      await signOut(context);
      return ok({ ended: true });
    },
  );
  routes.add(
    route('/sessions', {
      method: 'GET',
      operationId: 'listSessions',
      summary: 'List the signed-in user’s sessions',
      description:
        'Where the user is signed in, newest first, at most 100; `current` marks the session of this request.',
      answers: { status: 200, data: Type.Array(ownSessionSchema) },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listOwnSessions(context));
    },
  );
  routes.add(
    route('/sessions/:id', {
      method: 'DELETE',
      operationId: 'endSession',
      summary: 'End one of the signed-in user’s sessions',
      description: 'Its tokens are no longer accepted. Use it for a lost device.',
      params: Type.Object({ id: Type.String({ description: 'Id of the session.' }) }),
      answers: {
        status: 200,
        data: Type.Object({ id: Type.String({ format: 'uuid' }), ended: Type.Literal(true) }),
      },
      failures: [404],
    }),
    async (context, { params }) => {
      await endOwnSession(context, params.id);
      return ok({ id: params.id, ended: true });
    },
  );
}

function addRefresh(routes: ProjectRoutes, deps: SessionDeps): void {
  routes.add(
    route('/refresh', {
      method: 'POST',
      operationId: 'refreshToken',
      summary: 'Refresh the tokens of a session',
      description:
        'Takes the refresh token in the body, without a bearer token, and returns the next one: each can be used once. Without a body, a bearer token that has not expired gets a new one.',
      access: 'anyone',
      body: refreshBody,
      isBodyOptional: true,
      answers: refreshedAnswer,
      usesUp: true,
      prepare: (context, { body }) => checkRefreshToken(context, body.refresh_token),
      replay: (context, kept) =>
        kept === '' ? refreshValidToken(deps, context) : repeatSignIn(deps, context, kept, 200),
    }),
    (context, { body: { refresh_token: token }, prepared: checked }) =>
      token === undefined || !checked
        ? refreshValidToken(deps, context)
        : refreshSession(deps, context, { token, checked }),
  );
}
