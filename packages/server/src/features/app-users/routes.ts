import { type Static, Type } from 'typebox';
import { type Answer, ok } from '../../platform/http/answer.ts';
import type { ProjectRoute, ProjectRoutes, RequestContext } from '../projects/index.ts';
import { readCountWish, readQuery, refuseOthers } from '../query/index.ts';
import { filesOf } from '../storage/index.ts';
import { type Login, projectedUser, userRecord } from './app-user.ts';
import {
  changeCurrentUser,
  changePassword,
  checkPasswordChange,
  getCurrentUser,
  logOut,
  type PasswordChange,
  refreshToken,
} from './current-user.ts';
import { readUserForm } from './held-files.ts';
import { limitTries } from './limit-tries.ts';
import { checkLogin } from './log-in.ts';
import { changeUser, deleteUser, getUser, listAllUsers } from './manage-user.ts';
import {
  changePasswordBody,
  changeSelfBody,
  changeUserBody,
  listParameters,
  logInBody,
  profileReference,
  secondStepSchema,
  sessionSchema,
  signedInSchema,
  signUpBody,
  userParams,
  userReference,
} from './schemas.ts';
import type { AppUserServices } from './services.ts';
import { endOwnSession, listOwnSessions } from './sessions.ts';
import { repeatSignIn, signIn } from './sign-in.ts';
import { type CheckedUser, checkSignUp, signUp } from './sign-up.ts';

type Described = Pick<ProjectRoute, 'operationId' | 'summary' | 'access'>;

export function addAppUserRoutes(routes: ProjectRoutes, services: AppUserServices): void {
  addSignIn(routes, services);
  addCurrentUser(routes, services);
  addUsers(routes, services);
}

/** Routes that answer with a token. A replayed call gets a new one. */
function addSignIn(routes: ProjectRoutes, services: AppUserServices): void {
  const post = (url: string, described: Described, status: 200 | 201 = 200) =>
    ({
      method: 'POST',
      url: `/auth-collections/${url}`,
      tag: 'App users',
      answers: { status, data: signedInSchema },
      failures: [400],
      replay: (context: RequestContext, kept: string): Promise<Answer> =>
        repeatSignIn(services, context, kept, status),
      ...described,
    }) as const;

  routes.add(
    {
      ...post('signup', { operationId: 'signUp', summary: 'Sign up', access: 'anyone' }, 201),
      body: signUpBody,
      readForm: async (context, form) => {
        await limitTries(services, context);
        return readUserForm(services, context, form);
      },
      prepare: (context, { body, form }) =>
        checkSignUp(services, context, { body: body as Static<typeof signUpBody>, form }),
    },
    (context, input) => signUp(services, context, input.prepared as CheckedUser, filesOf(input)),
  );
  routes.add(
    {
      ...post('login', { operationId: 'logIn', summary: 'Log in', access: 'anyone' }),
      body: logInBody,
      answers: { status: 200, data: Type.Union([signedInSchema, secondStepSchema]) },
      prepare: (context, { body }) => checkLogin(services, context, body as Static<typeof logInBody>),
    },
    (context, { prepared }) => signIn(services, context, prepared as Login),
  );
  routes.add(
    {
      ...post('change-password', {
        operationId: 'changePassword',
        summary: 'Change the password; every earlier token ends',
        access: 'user',
      }),
      body: changePasswordBody,
      prepare: (context, { body }) =>
        checkPasswordChange(services, context, body as Static<typeof changePasswordBody>),
    },
    (context, { prepared }) => changePassword(services, context, prepared as PasswordChange),
  );
  routes.add(
    {
      ...post('refresh', {
        operationId: 'refreshToken',
        summary: 'Trade a valid token for a fresh one',
        access: 'user',
      }),
      replay: (context) => refreshToken(services, context),
    },
    (context) => refreshToken(services, context),
  );
}

function addCurrentUser(routes: ProjectRoutes, services: AppUserServices): void {
  routes.add(
    {
      method: 'POST',
      url: '/auth-collections/logout',
      access: 'user',
      tag: 'App users',
      operationId: 'logOut',
      summary: 'End this sign-in',
      answers: { status: 200, data: Type.Object({ ended: Type.Literal(true) }) },
      failures: [400],
    },
    async (context) => {
      await logOut(context);
      return ok({ ended: true });
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/sessions',
      access: 'user',
      tag: 'App users',
      operationId: 'listSessions',
      summary: 'The signed-in user’s sign-ins',
      answers: { status: 200, data: Type.Array(sessionSchema) },
      failures: [400],
    },
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listOwnSessions(context));
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/auth-collections/sessions/:id',
      access: 'user',
      tag: 'App users',
      operationId: 'endSession',
      summary: 'End one of the signed-in user’s sign-ins',
      params: Type.Object({ id: Type.String({ description: 'Id of the sign-in.' }) }),
      answers: { status: 200, data: Type.Object({ id: Type.String(), ended: Type.Literal(true) }) },
      failures: [404],
    },
    async (context, { params }) => {
      await endOwnSession(context, params.id!);
      return ok({ id: params.id!, ended: true });
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/user',
      access: 'user',
      tag: 'App users',
      operationId: 'getCurrentUser',
      summary: 'The signed-in user',
      query: [{ name: 'populate', schema: Type.Array(Type.String()) }],
      answers: { status: 200, data: userReference },
      failures: [400],
    },
    async (context, { queryString }) => {
      refuseOthers(queryString, ['populate']);
      const scope = await services.scopes.users({ ...context, principal: { isTrusted: true } });
      const { populate } = await readQuery(queryString, scope);
      return ok(await getCurrentUser(services, context, populate));
    },
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/auth-collections/user',
      access: 'user',
      tag: 'App users',
      operationId: 'changeCurrentUser',
      summary: 'Change the signed-in user',
      body: changeSelfBody,
      readForm: (context, form) => readUserForm(services, context, form),
      answers: { status: 200, data: userReference },
      failures: [400, 413],
    },
    async (context, input) =>
      ok(
        userRecord(
          await changeCurrentUser(services, context, {
            changes: input.body as Static<typeof changeSelfBody>,
            files: filesOf(input),
          }),
        ),
      ),
  );
}

function addUsers(routes: ProjectRoutes, services: AppUserServices): void {
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/users',
      access: 'server',
      tag: 'App users',
      operationId: 'listUsers',
      summary: 'List the project’s app users',
      query: listParameters,
      answers: { status: 200, data: Type.Array(userReference), list: true },
      failures: [400],
    },
    async (context, { queryString, headers }) => {
      const { users, page } = await listAllUsers(services, context, {
        queryString,
        wish: readCountWish(headers),
      });
      return { ...ok(users.map(userRecord)), page };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/users/:id',
      access: 'anyone',
      tag: 'App users',
      operationId: 'getUser',
      summary: 'A user’s public profile; the whole record with the API key',
      params: userParams,
      answers: { status: 200, data: profileReference },
      failures: [404],
    },
    async (context, { params, queryString }) => {
      refuseOthers(queryString, []);
      return ok(projectedUser(await getUser(context, params.id!), context.principal));
    },
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/auth-collections/users/:id',
      access: 'server',
      tag: 'App users',
      operationId: 'changeUser',
      summary: 'Change a user: role, claims, suspension and more',
      params: userParams,
      body: changeUserBody,
      answers: { status: 200, data: userReference },
      failures: [400, 404, 413],
    },
    async (context, { params, body }) =>
      ok(userRecord(await changeUser(services, context, params.id!, body as Static<typeof changeUserBody>))),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/auth-collections/users/:id',
      access: 'server',
      tag: 'App users',
      operationId: 'deleteUser',
      summary: 'Delete a user',
      params: userParams,
      answers: { status: 200, data: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }) },
      failures: [404],
    },
    async (context, { params }) => {
      await deleteUser(services, context, params.id!);
      return ok({ id: params.id!, deleted: true });
    },
  );
}
