import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import type { SessionDeps } from './deps.ts';
import { endOwnSession, listOwnSessions, refreshToken, signOut } from './own-sessions.ts';
import { sessionSchema, signedInSchema } from './schemas.ts';

const route = routeGroup({
  url: '/auth-collections',
  tag: 'App users',
  access: 'user',
  isSecret: true,
  failures: [400],
});

export function addSessionRoutes(routes: ProjectRoutes, deps: SessionDeps): void {
  routes.add(
    route('/refresh', {
      method: 'POST',
      operationId: 'refreshToken',
      summary: 'Trade a valid token for a fresh one',
      answers: { status: 200, data: signedInSchema },
      replay: (context) => refreshToken(deps, context),
    }),
    (context) => refreshToken(deps, context),
  );
  routes.add(
    route('/logout', {
      method: 'POST',
      operationId: 'logOut',
      summary: 'End this sign-in',
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
      summary: 'The signed-in user’s sign-ins',
      answers: { status: 200, data: Type.Array(sessionSchema) },
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
      summary: 'End one of the signed-in user’s sign-ins',
      params: Type.Object({ id: Type.String({ description: 'Id of the sign-in.' }) }),
      answers: { status: 200, data: Type.Object({ id: Type.String(), ended: Type.Literal(true) }) },
      failures: [404],
    }),
    async (context, { params }) => {
      await endOwnSession(context, params.id);
      return ok({ id: params.id, ended: true });
    },
  );
}
