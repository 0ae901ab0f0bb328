import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import { userParams } from '../user-records/index.ts';
import { sessionSchema } from './schemas.ts';
import { endSessionOfUser, endSessionsOfUser, listSessionsOfUser } from './user-sessions.ts';

const route = routeGroup({
  url: '/auth-collections/users/:id/sessions',
  scope: 'users',
  tag: 'App users',
  access: 'server',
  isSecret: true,
  failures: [400, 404],
});

/** The sign-ins of any user, for the project's server. */
export function addUserSessions(routes: ProjectRoutes): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listSessionsOfUser',
      summary: 'List the sessions of a user',
      description: 'Where the user is signed in, newest first, at most 100. Ended sessions are not listed.',
      params: userParams,
      answers: { status: 200, data: Type.Array(sessionSchema) },
    }),
    async (context, { params, queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listSessionsOfUser(context, params.id));
    },
  );
  routes.add(
    route('/:session', {
      method: 'DELETE',
      operationId: 'endSessionOfUser',
      summary: 'End one session of a user',
      description: 'Its tokens are no longer accepted. Use it for a lost device.',
      params: Type.Object({
        ...userParams.properties,
        session: Type.String({ description: 'Id of the session.' }),
      }),
      answers: {
        status: 200,
        data: Type.Object({ id: Type.String({ format: 'uuid' }), ended: Type.Literal(true) }),
      },
    }),
    async (context, { params }) => {
      await endSessionOfUser(context, { userId: params.id, id: params.session });
      return ok({ id: params.session, ended: true });
    },
  );
  routes.add(
    route('', {
      method: 'DELETE',
      operationId: 'endSessionsOfUser',
      summary: 'End all sessions of a user',
      description:
        'The user is signed out everywhere, but can sign in again: to prevent that, suspend the user.',
      params: userParams,
      answers: {
        status: 200,
        data: Type.Object({
          ended: Type.Integer({ description: 'The number of sessions that were ended.', examples: [2] }),
        }),
      },
    }),
    async (context, { params }) => ok({ ended: await endSessionsOfUser(context, params.id) }),
  );
}
