import { Type } from 'typebox';
import { created, ok, type ProjectRoutes, refuseOthers, routeGroup } from '../../../calls/index.ts';
import { repeatSignIn, signedInSchema } from '../sessions/index.ts';
import { addPasskey, beginAdding, checkNewPasskey } from './add-passkey.ts';
import type { PasskeyDeps } from './deps.ts';
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from './own-passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import {
  creationOptionsSchema,
  passkeyParams,
  passkeySchema,
  registerBody,
  registerOptionsBody,
  renameBody,
  requestOptionsSchema,
  signInBody,
} from './schemas.ts';
import { beginSignIn, checkPasskey, signInWithPasskey } from './sign-in-with-passkey.ts';

const route = routeGroup({
  url: '/auth-collections/passkeys',
  tag: 'Passkeys',
  isSecret: true,
  failures: [400],
});

export function addPasskeyRoutes(routes: ProjectRoutes, deps: PasskeyDeps): void {
  addRegistration(routes, deps);
  addSignIn(routes, deps);
  addOwnPasskeys(routes, deps);
}

function addRegistration(routes: ProjectRoutes, deps: PasskeyDeps): void {
  routes.add(
    route('/register/options', {
      method: 'POST',
      operationId: 'beginPasskey',
      summary: 'What a browser needs to make a passkey for the signed-in user',
      access: 'user',
      body: registerOptionsBody,
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
      summary: 'Add the passkey that the browser has made',
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
      summary: 'What a browser needs to log in with a passkey',
      access: 'anyone',
      answers: { status: 200, data: requestOptionsSchema },
    }),
    async (context, input) => ok(await beginSignIn(deps, context, relyingPartyOf(context, input))),
  );
  routes.add(
    route('/login', {
      method: 'POST',
      operationId: 'logInWithPasskey',
      summary: 'Log in with a passkey; no second step is asked for',
      access: 'anyone',
      body: signInBody,
      answers: { status: 200, data: signedInSchema },
      usesUp: true,
      prepare: (context, { body }) => checkPasskey(deps, context, body),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared }) => signInWithPasskey(deps, context, prepared),
  );
}

function addOwnPasskeys(routes: ProjectRoutes, deps: PasskeyDeps): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listPasskeys',
      summary: 'The passkeys that sign the user in',
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
      access: 'user',
      params: passkeyParams,
      answers: { status: 200, data: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }) },
      failures: [400, 404],
    }),
    async (context, { params }) => {
      await deleteOwnPasskey(deps, context, params.id);
      return ok({ id: params.id, deleted: true });
    },
  );
}
