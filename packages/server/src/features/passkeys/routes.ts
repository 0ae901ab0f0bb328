import { type Static, Type } from 'typebox';
import { created, ok } from '../../platform/http/answer.ts';
import { repeatSignIn, signedInSchema } from '../app-users/index.ts';
import type { ProjectRoute, ProjectRoutes } from '../projects/index.ts';
import { refuseOthers } from '../query/index.ts';
import { addPasskey, beginAdding, checkNewPasskey } from './add-passkey.ts';
import { beginLogin, checkPasskey, logIn } from './log-in.ts';
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from './own-passkeys.ts';
import type { NewPasskey, PasskeyUse } from './passkey.ts';
import { relyingPartyOf } from './relying-party.ts';
import {
  creationOptionsSchema,
  type LogInBody,
  logInBody,
  passkeyParams,
  passkeySchema,
  type RegisterBody,
  registerBody,
  registerOptionsBody,
  renameBody,
  requestOptionsSchema,
} from './schemas.ts';
import type { PasskeyServices } from './services.ts';

type Described = Pick<ProjectRoute, 'method' | 'operationId' | 'summary' | 'access' | 'answers'> &
  Partial<ProjectRoute>;

const route = (path: string, described: Described): ProjectRoute => ({
  url: `/auth-collections/passkeys${path}`,
  tag: 'Passkeys',
  failures: [400],
  ...described,
});

export function addPasskeyRoutes(routes: ProjectRoutes, services: PasskeyServices): void {
  addRegistration(routes, services);
  addLogin(routes, services);
  addOwnPasskeys(routes, services);
}

function addRegistration(routes: ProjectRoutes, services: PasskeyServices): void {
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
        const { password } = input.body as Static<typeof registerOptionsBody>;
        return beginAdding(services, context, { relyingParty: relyingPartyOf(context, input), password });
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
      prepare: (context, { body }) => checkNewPasskey(services, context, body as RegisterBody),
    }),
    async (context, { prepared }) => created(await addPasskey(context, prepared as NewPasskey)),
  );
}

function addLogin(routes: ProjectRoutes, services: PasskeyServices): void {
  routes.add(
    route('/login/options', {
      method: 'POST',
      operationId: 'beginPasskeyLogin',
      summary: 'What a browser needs to log in with a passkey',
      access: 'anyone',
      answers: { status: 200, data: requestOptionsSchema },
    }),
    async (context, input) => ok(await beginLogin(services, context, relyingPartyOf(context, input))),
  );
  routes.add(
    route('/login', {
      method: 'POST',
      operationId: 'logInWithPasskey',
      summary: 'Log in with a passkey; no second step is asked for',
      access: 'anyone',
      body: logInBody,
      answers: { status: 200, data: signedInSchema },
      usesUp: true,
      prepare: (context, { body }) => checkPasskey(services, context, body as LogInBody),
      replay: (context, kept) => repeatSignIn(services.users, context, kept, 200),
    }),
    (context, { prepared }) => logIn(services, context, prepared as PasskeyUse),
  );
}

function addOwnPasskeys(routes: ProjectRoutes, services: PasskeyServices): void {
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
    async (context, { params, body }) =>
      ok(await renameOwnPasskey(context, params.id!, (body as Static<typeof renameBody>).name)),
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
      await deleteOwnPasskey(services, context, params.id!);
      return ok({ id: params.id!, deleted: true });
    },
  );
}
