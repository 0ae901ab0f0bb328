import { Type } from 'typebox';
import {
  created,
  ok,
  type ProjectRoutes,
  refuseOthers,
  routeGroup,
  withWarnings,
} from '../../../calls/index.ts';
import { dottedNames, readCountWish, readQuery } from '../../data/index.ts';
import { filesOf } from '../../files/index.ts';
import { requireFreshOrOwner } from '../passwords/index.ts';
import { limitTries, repeatSignIn, signedIn, signedInSchema } from '../sessions/index.ts';
import {
  getUser,
  listAllUsers,
  profileReference,
  projectedUser,
  userRecord,
  userReference,
} from '../user-records/index.ts';
import { checkNewUser, createUserAsServer } from './add-user.ts';
import { changeCurrentUser, getCurrentUser } from './current-user.ts';
import type { AppUserDeps } from './deps.ts';
import { readUserForm } from './held-files.ts';
import { changeUser, deleteUser } from './manage-user.ts';
import {
  changeSelfBody,
  changeUserBody,
  deleteSelfBody,
  listParameters,
  newUserBody,
  signUpBody,
  userParams,
} from './schemas.ts';
import { checkSignUp, signUp } from './sign-up.ts';

const route = routeGroup({ url: '/auth-collections', tag: 'App users', isSecret: true, failures: [400] });

export function addAppUserRoutes(routes: ProjectRoutes, deps: AppUserDeps): void {
  addSignUp(routes, deps);
  addCurrentUser(routes, deps);
  addOwnDeletion(routes, deps);
  addUsers(routes, deps);
  addUserCreation(routes, deps);
}

function addSignUp(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/signup', {
      method: 'POST',
      operationId: 'signUp',
      summary: 'Sign up',
      access: 'anyone',
      body: signUpBody,
      readForm: async (context, form) => {
        await limitTries(deps, context);
        return readUserForm(deps, context, form);
      },
      answers: { status: 201, data: signedInSchema },
      prepare: (context, { body, form }) => checkSignUp(deps, context, { body, form }),
      replay: (context, kept) => repeatSignIn(deps, context, kept, 201),
    }),
    (context, input) => signUp(deps, context, input.prepared, filesOf(input)),
  );
}

function addCurrentUser(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/user', {
      method: 'GET',
      operationId: 'getCurrentUser',
      summary: 'The signed-in user',
      access: 'user',
      query: [{ name: 'populate', schema: Type.Array(Type.String()) }],
      answers: { status: 200, data: userReference },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, ['populate']);
      const scope = await deps.scopes.users({ ...context, principal: { isTrusted: true } });
      const { populate } = await readQuery(queryString, scope);
      return { status: 200, data: await getCurrentUser(deps, context, populate) };
    },
  );
  routes.add(
    route('/user', {
      method: 'PATCH',
      operationId: 'changeCurrentUser',
      summary: 'Change the signed-in user',
      access: 'user',
      body: changeSelfBody,
      readForm: (context, form) => readUserForm(deps, context, form),
      answers: { status: 200, data: userReference },
      failures: [400, 413],
    }),
    async (context, input) => {
      const given = { changes: input.body, files: filesOf(input) };
      const user = await changeCurrentUser(deps, context, given);
      return withWarnings(
        ok(userRecord(user)),
        dottedNames(input.body.data ?? {}, () => user.data),
      );
    },
  );
}

function addOwnDeletion(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/user', {
      method: 'DELETE',
      operationId: 'deleteCurrentUser',
      summary: 'Delete one’s own account',
      description: 'Needs the current password, or a sign-in of the last 15 minutes.',
      access: 'user',
      body: deleteSelfBody,
      isBodyOptional: true,
      answers: { status: 200, data: deletedUser },
      prepare: (context, { body }) => requireFreshOrOwner(deps, context, body.password),
    }),
    async (context) => {
      const { id } = signedIn(context);
      await deleteUser(deps, context, id);
      return ok({ id, deleted: true });
    },
  );
}

const deletedUser = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

function addUserCreation(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/users', {
      method: 'POST',
      operationId: 'createUser',
      summary: 'Create a user, or bring one along from another service',
      description:
        'Signs nobody in and sends no mail. With `password`, with `passwordHash`, or with neither: such a user signs in through a provider, by phone, or sets a password with `forgot-password`.',
      access: 'server',
      body: newUserBody,
      answers: { status: 201, data: userReference },
      failures: [400, 413],
      prepare: (context, { body }) => checkNewUser(deps, context, body),
    }),
    async (context, { prepared }) => created(userRecord(await createUserAsServer(deps, context, prepared))),
  );
}

function addUsers(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/users', {
      method: 'GET',
      operationId: 'listUsers',
      summary: 'List the project’s app users',
      access: 'server',
      query: listParameters,
      answers: { status: 200, data: Type.Array(userReference), list: true },
    }),
    async (context, { queryString, headers }) => {
      const wish = readCountWish(headers);
      const { users, page } = await listAllUsers(deps, context, { queryString, wish });
      return { ...ok(users.map(userRecord)), page };
    },
  );
  routes.add(
    route('/users/:id', {
      method: 'GET',
      operationId: 'getUser',
      summary: 'A user’s public profile; the whole record with the API key',
      access: 'anyone',
      params: userParams,
      answers: { status: 200, data: profileReference },
      failures: [404],
    }),
    async (context, { params, queryString }) => {
      refuseOthers(queryString, []);
      return ok(projectedUser(await getUser(context, params.id), context.principal));
    },
  );
  routes.add(
    route('/users/:id', {
      method: 'PATCH',
      operationId: 'changeUser',
      summary: 'Change a user: role, claims, suspension and more',
      access: 'server',
      params: userParams,
      body: changeUserBody,
      answers: { status: 200, data: userReference },
      failures: [400, 404, 413],
    }),
    async (context, { params, body }) => {
      const user = await changeUser(deps, context, params.id, body);
      const warnings = [
        ...dottedNames(body.data ?? {}, () => user.data),
        ...dottedNames(body.claims ?? {}, () => user.claims),
      ];
      return withWarnings(ok(userRecord(user)), warnings);
    },
  );
  routes.add(
    route('/users/:id', {
      method: 'DELETE',
      operationId: 'deleteUser',
      summary: 'Delete a user',
      access: 'server',
      params: userParams,
      answers: { status: 200, data: deletedUser },
      failures: [404],
    }),
    async (context, { params }) => {
      await deleteUser(deps, context, params.id);
      return ok({ id: params.id, deleted: true });
    },
  );
}
