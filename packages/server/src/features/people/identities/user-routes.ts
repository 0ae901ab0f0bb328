import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import { evenLastParameter, readEvenLast, userParams } from '../user-records/index.ts';
import type { IdentityDeps } from './deps.ts';
import { listIdentitiesOfUser, removeIdentityOfUser } from './own-identities.ts';
import { identitySchema, providerParams, removedSchema } from './schemas.ts';

const route = routeGroup({
  url: '/auth-collections/users/:id/identities',
  scope: 'users',
  tag: 'App users',
  access: 'server',
  isSecret: true,
  failures: [400, 404],
});

/** The identities of any user, for the project's server. */
export function addUserIdentities(routes: ProjectRoutes, deps: Pick<IdentityDeps, 'hasOtherMethod'>): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listIdentitiesOfUser',
      summary: 'List the identity providers that sign a user in',
      description:
        'The providers that the user has signed in with, since when, and the email address from each.',
      params: userParams,
      answers: { status: 200, data: Type.Array(identitySchema) },
    }),
    async (context, { params, queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listIdentitiesOfUser(context, params.id));
    },
  );
  routes.add(
    route('/:provider', {
      method: 'DELETE',
      operationId: 'removeIdentityOfUser',
      summary: 'Disconnect a user from an identity provider',
      description:
        'Fails if the user has no other way to sign in, unless you send `even_last=true`. Sessions that started with it continue: end them too.',
      params: Type.Object({ ...userParams.properties, ...providerParams.properties }),
      query: [evenLastParameter],
      answers: { status: 200, data: removedSchema },
    }),
    async (context, { params, queryString }) => {
      const isEvenLast = readEvenLast(queryString);
      await removeIdentityOfUser(deps, context, { userId: params.id, provider: params.provider, isEvenLast });
      return ok({ provider: params.provider, deleted: true });
    },
  );
}
