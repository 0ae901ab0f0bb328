import { Type } from 'typebox';
import {
  created,
  ok,
  type ProjectRoutes,
  refuseOthers,
  routeGroup,
  withWarnings,
} from '../../../calls/index.ts';
import { dottedNames, readPreferences, readQuery } from '../../data/index.ts';
import { filesOf } from '../../files/index.ts';
import { requireFreshOrOwner } from '../passwords/index.ts';
import { limitTries, repeatSignIn, signedIn, signedInAnswer } from '../sessions/index.ts';
import {
  getUser,
  guardUser,
  listAllUsers,
  profileReference,
  projectedUser,
  userParams,
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
  changeSelfForm,
  changeUserBody,
  deleteSelfBody,
  listParameters,
  newUserBody,
  populateParameter,
  signUpBody,
  signUpForm,
} from './schemas.ts';
import { checkSignUp, guardSignUp, signUp } from './sign-up.ts';

const route = routeGroup({
  url: '/auth-collections',
  scope: 'users',
  tag: 'App users',
  isSecret: true,
  failures: [400],
});

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
      description:
        'Creates an app user and signs it in. `email_verified` stays false until the address is verified. As multipart/form-data, files fill fields of `data`, such as an avatar.',
      access: 'anyone',
      body: signUpBody,
      form: signUpForm,
      readForm: async (context, form) => {
        await limitTries(deps, context);
        return readUserForm(deps, context, form);
      },
      answers: signedInAnswer(201),
      prepare: (context, { body, form }) => checkSignUp(deps, context, { body, form }),
      guard: (context, { prepared }, guards) => guardSignUp(context, prepared, guards),
      replay: (context, kept) => repeatSignIn(deps, context, kept, 201),
    }),
    (context, input) => {
      const { prepared: wanted, guarded = { wanted, admission: undefined } } = input;
      return signUp(deps, context, guarded, filesOf(input));
    },
  );
}

function addCurrentUser(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/user', {
      method: 'GET',
      operationId: 'getCurrentUser',
      summary: 'Read the signed-in user',
      description: 'The complete record, with `claims` and the private part of `data`.',
      access: 'user',
      query: [populateParameter],
      answers: { status: 200, data: userReference },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, ['populate']);
      const scope = await deps.scopes.users({
        ...context,
        principal: { ...context.principal, isTrusted: true },
      });
      const { populate } = await readQuery(queryString, scope);
      return { status: 200, data: await getCurrentUser(deps, context, populate) };
    },
  );
  routes.add(
    route('/user', {
      method: 'PATCH',
      operationId: 'changeCurrentUser',
      summary: 'Update the signed-in user',
      description:
        'Fields of `data` that you do not send stay unchanged; operators change lists and numbers without reading them first. A new `email` requires the current `password`, and is unverified.',
      access: 'user',
      body: changeSelfBody,
      form: changeSelfForm,
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
      summary: 'Delete your own account',
      description:
        'Requires the current password, or a sign-in within the last 15 minutes. Documents that the user has written are kept.',
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

const deletedUser = Type.Object({ id: Type.String({ format: 'uuid' }), deleted: Type.Literal(true) });

function addUserCreation(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/users', {
      method: 'POST',
      operationId: 'createUser',
      summary: 'Create a user, or import one from another service',
      description:
        'Does not sign the user in and sends no email. Send `password`, `passwordHash`, or neither: then the user signs in through a provider, by phone, or sets a password with `forgot-password`.',
      access: 'server',
      body: newUserBody,
      answers: { status: 201, data: userReference },
      failures: [400, 413],
      prepare: (context, { body }) => checkNewUser(deps, context, body),
      guard: (context, { prepared }, guards) => guardUser(context, prepared, { method: 'server', guards }),
    }),
    async (context, { prepared, guarded = prepared }) =>
      created(userRecord(await createUserAsServer(deps, context, guarded))),
  );
}

function addUsers(routes: ProjectRoutes, deps: AppUserDeps): void {
  routes.add(
    route('/users', {
      method: 'GET',
      operationId: 'listUsers',
      summary: 'List the project’s app users',
      description:
        'Returns complete records, newest first. Every other parameter is a filter on the user’s fields and on `data`.',
      access: 'server',
      query: listParameters,
      headers: ['Prefer'],
      answers: { status: 200, data: Type.Array(userReference), list: true },
    }),
    async (context, { queryString, headers }) => {
      const { count: wish } = readPreferences(headers, { hasVersions: false });
      const { users, page } = await listAllUsers(deps, context, { queryString, wish });
      return { ...ok(users.map(userRecord)), page };
    },
  );
  routes.add(
    route('/users/:id', {
      method: 'GET',
      operationId: 'getUser',
      summary: 'Read a user',
      description:
        'The public profile: `data` without `data.private`. With the API key, the complete record.',
      access: 'anyone',
      params: userParams,
      answers: { status: 200, data: Type.Union([profileReference, userReference]) },
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
      summary: 'Update a user: role, claims, suspension and more',
      description:
        'For what users cannot do themselves: set roles and claims, verify addresses, suspend. A suspension or a new password ends all sessions.',
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
      description:
        'Its sessions, passkeys and files are deleted too. Documents that it has written are kept.',
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
