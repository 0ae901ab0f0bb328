import { Type } from 'typebox';
import { ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import { evenLastParameter, readEvenLast, userParams } from '../user-records/index.ts';
import type { PasskeyDeps } from './deps.ts';
import { deletePasskeyOfUser, listPasskeysOfUser } from './own-passkeys.ts';
import { deletedPasskey, passkeySchema } from './schemas.ts';

const route = routeGroup({
  url: '/auth-collections/users/:id/passkeys',
  scope: 'users',
  tag: 'App users',
  access: 'server',
  isSecret: true,
  failures: [400, 404],
});

/** The passkeys of any user, for the project's server. */
export function addUserPasskeys(routes: ProjectRoutes, deps: Pick<PasskeyDeps, 'hasOtherMethod'>): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listPasskeysOfUser',
      summary: 'List the passkeys that sign a user in',
      description: 'With the name of each, when it was created, and when it was last used.',
      params: userParams,
      answers: { status: 200, data: Type.Array(passkeySchema) },
    }),
    async (context, { params, queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listPasskeysOfUser(context, params.id));
    },
  );
  routes.add(
    route('/:passkey', {
      method: 'DELETE',
      operationId: 'deletePasskeyOfUser',
      summary: 'Delete a passkey of a user',
      description:
        'It can no longer be used to sign in. Fails if the user has no other way to sign in, unless you send `even_last=true`.',
      params: Type.Object({
        ...userParams.properties,
        passkey: Type.String({ description: 'Id of the passkey.' }),
      }),
      query: [evenLastParameter],
      answers: { status: 200, data: deletedPasskey },
    }),
    async (context, { params, queryString }) => {
      const isEvenLast = readEvenLast(queryString);
      await deletePasskeyOfUser(deps, context, { id: params.passkey, userId: params.id, isEvenLast });
      return ok({ id: params.passkey, deleted: true });
    },
  );
}
