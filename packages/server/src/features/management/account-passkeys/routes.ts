import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import {
  creationOptionsSchema,
  passkeySchema,
  registerBody,
  renameBody,
  requestOptionsSchema,
  signInBody,
} from '../../people/index.ts';
import { accountAnswer, id, nothing } from '../accounts/index.ts';
import { addPasskey, beginAdding, checkNewPasskey } from './add-passkey.ts';
import type { AccountPasskeyDeps } from './deps.ts';
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from './own-passkeys.ts';
import { beginSignIn, checkPasskey, signInWithPasskey } from './sign-in-with-passkey.ts';

const tag = 'Accounts';
const params = Type.Object({ id });

export function addAccountPasskeyRoutes(routes: ManagementRoutes, deps: AccountPasskeyDeps): void {
  addAdding(routes, deps);
  addSignIn(routes, deps);
  addOwn(routes);
}

function addAdding(routes: ManagementRoutes, deps: AccountPasskeyDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/account/passkeys',
      isRead: true,
      tag,
      operationId: 'beginAccountPasskey',
      summary: 'Start adding a passkey',
      description:
        'Returns what a browser needs to create one. Requires a sign-in within the last 15 minutes and a confirmed email address.',
      answers: { status: 200, data: creationOptionsSchema },
    },
    async (context) => ok(await beginAdding(deps, context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/account/passkeys/confirm',
      tag,
      operationId: 'addAccountPasskey',
      summary: 'Add the passkey that the browser created',
      description: 'Send what the browser created from the options, within 5 minutes.',
      body: registerBody,
      answers: { status: 201, data: passkeySchema },
      prepare: (context, { body }) => checkNewPasskey(deps, context, body),
    },
    async (context, { prepared }) => {
      const passkey = await addPasskey(context, prepared);
      return { ...created(passkey), audit: { target: passkey.id, details: { name: passkey.name } } };
    },
  );
}

function addSignIn(routes: ManagementRoutes, deps: AccountPasskeyDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/session/passkey/begin',
      isRead: true,
      tag,
      operationId: 'beginAccountPasskeySignIn',
      summary: 'Start a sign-in with a passkey',
      description:
        'Returns what a browser needs to ask for one. No email address is needed: the device knows its passkeys.',
      answers: { status: 200, data: requestOptionsSchema },
    },
    async (context) => ok(await beginSignIn(deps, context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/session/passkey',
      tag,
      operationId: 'signInAccountWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Send what the browser has signed. No code is required: a passkey already is two factors. Sets a session cookie.',
      body: signInBody,
      answers: { status: 200, data: accountAnswer },
      prepare: (context, { body }) => checkPasskey(deps, context, body),
    },
    (context, { prepared }) => signInWithPasskey(context, prepared),
  );
}

function addOwn(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/account/passkeys',
      tag,
      operationId: 'listAccountPasskeys',
      summary: 'List your passkeys',
      description: 'With the name of each, and when it was last used.',
      answers: { status: 200, data: Type.Array(passkeySchema) },
    },
    async (context) => ok(await listOwnPasskeys(context)),
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/management/account/passkeys/:id',
      tag,
      operationId: 'renameAccountPasskey',
      summary: 'Rename a passkey',
      description: 'The name is only for you, to tell passkeys apart.',
      params,
      body: renameBody,
      answers: { status: 200, data: passkeySchema },
      failures: [404],
    },
    async (context, { params, body }) => ({
      ...ok(await renameOwnPasskey(context, params.id, body.name)),
      audit: { target: params.id },
    }),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/account/passkeys/:id',
      tag,
      operationId: 'deleteAccountPasskey',
      summary: 'Delete a passkey',
      description: 'It can no longer be used to sign in. Sessions that started with it continue.',
      params,
      answers: { status: 200, data: nothing },
      failures: [404],
    },
    async (context, { params }) => {
      await deleteOwnPasskey(context, params.id);
      return { ...ok(null), audit: { target: params.id } };
    },
  );
}
