import { Type } from 'typebox';
import { created, ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import { admit, repeatSignIn, signedInAnswer, signInOf } from '../sessions/index.ts';
import { addPasskey, beginAdding, checkNewPasskey } from './add-passkey.ts';
import type { PasskeyDeps } from './deps.ts';
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from './own-passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import {
  creationOptionsSchema,
  deletedPasskey,
  passkeyParams,
  passkeySchema,
  registerBody,
  registerOptionsBody,
  renameBody,
  requestOptionsSchema,
  signInBody,
} from './schemas.ts';
import { beginSignIn, checkPasskey, signInWithPasskey } from './sign-in-with-passkey.ts';
import { addUserPasskeys } from './user-routes.ts';

const route = routeGroup({
  url: '/auth-collections/passkeys',
  scope: 'users',
  tag: 'Passkeys',
  isSecret: true,
  failures: [400],
});

export function addPasskeyRoutes(routes: ProjectRoutes, deps: PasskeyDeps): void {
  addRegistration(routes, deps);
  addSignIn(routes, deps);
  addOwnPasskeys(routes, deps);
  addUserPasskeys(routes, deps);
}

function addRegistration(routes: ProjectRoutes, deps: PasskeyDeps): void {
  routes.add(
    route('/register/options', {
      method: 'POST',
      operationId: 'beginPasskey',
      summary: 'Start adding a passkey',
      description:
        'Returns what a browser needs to create one for the signed-in user. Requires the current password of users who have one.',
      access: 'user',
      body: registerOptionsBody,
      headers: ['Origin'],
      isBodyOptional: true,
      answers: { status: 200, data: creationOptionsSchema },
      prepare: (context, input) => {
        const { password } = input.body;
        return beginAdding(deps, context, { relyingParty: relyingPartyOf(context, input), password });
      },
    }),
    async (_context, { prepared }) => ok(prepared),
  );
  routes.add(
    route('/register', {
      method: 'POST',
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser created',
      description: 'Send what the browser created from the options, within 5 minutes.',
      access: 'user',
      body: registerBody,
      answers: { status: 201, data: passkeySchema },
      usesUp: true,
      prepare: (context, { body }) => checkNewPasskey(deps, context, body),
    }),
    async (context, { prepared }) => created(await addPasskey(context, prepared)),
  );
}

function addSignIn(routes: ProjectRoutes, deps: PasskeyDeps): void {
  routes.add(
    route('/login/options', {
      method: 'POST',
      operationId: 'beginPasskeyLogin',
      summary: 'Start a sign-in with a passkey',
      description:
        'Returns what a browser needs to ask for one. It shows the user the passkeys for this page.',
      access: 'anyone',
      headers: ['Origin'],
      answers: { status: 200, data: requestOptionsSchema },
    }),
    async (context, input) => ok(await beginSignIn(deps, context, relyingPartyOf(context, input))),
  );
  routes.add(
    route('/login', {
      method: 'POST',
      operationId: 'logInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Send what the browser has signed. No second step is required: a passkey already is two factors.',
      access: 'anyone',
      body: signInBody,
      answers: signedInAnswer(200),
      usesUp: true,
      prepare: (context, { body }) => checkPasskey(deps, context, body),
      guard: async (context, { prepared }, guards) =>
        admit(await signInOf(context, prepared.userId, 'passkey'), guards),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared, guarded }) => signInWithPasskey(deps, context, prepared, guarded),
  );
}

function addOwnPasskeys(routes: ProjectRoutes, deps: PasskeyDeps): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listPasskeys',
      summary: 'List the passkeys that sign the user in',
      description: 'With the name of each, and when it was last used.',
      access: 'user',
      answers: { status: 200, data: Type.Array(passkeySchema) },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listOwnPasskeys(context));
    },
  );
  routes.add(
    route('/:id', {
      method: 'PATCH',
      operationId: 'renamePasskey',
      summary: 'Rename one of the signed-in user’s passkeys',
      description: 'The name is only for the user, to tell passkeys apart.',
      access: 'user',
      params: passkeyParams,
      body: renameBody,
      answers: { status: 200, data: passkeySchema },
      failures: [400, 404],
    }),
    async (context, { params, body }) => ok(await renameOwnPasskey(context, params.id, body.name)),
  );
  routes.add(
    route('/:id', {
      method: 'DELETE',
      operationId: 'deletePasskey',
      summary: 'Delete one of the signed-in user’s passkeys',
      description: 'It can no longer be used to sign in. Fails if the user has no other way to sign in.',
      access: 'user',
      params: passkeyParams,
      answers: { status: 200, data: deletedPasskey },
      failures: [400, 404],
    }),
    async (context, { params }) => {
      await deleteOwnPasskey(deps, context, params.id);
      return ok({ id: params.id, deleted: true });
    },
  );
}
