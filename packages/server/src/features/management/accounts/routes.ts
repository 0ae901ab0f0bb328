import { Type } from 'typebox';
import { ok } from '../../../calls/index.ts';
import { type ManagementRoutes, noSessionCookie } from '../../../calls/management/index.ts';
import type { AccountDeps } from './deps.ts';
import {
  endOwnSession,
  ownAccount,
  ownSessions,
  renameAccount,
  signOut,
  signOutEverywhere,
} from './own-sessions.ts';
import {
  askForReset,
  changePassword,
  preparePasswordChange,
  prepareReset,
  resetPassword,
} from './passwords.ts';
import {
  accountAnswer,
  email,
  id,
  name,
  nothing,
  passwordChangeBody,
  resetBody,
  sessionAnswer,
  signInBody,
  signUpBody,
  strict,
  token,
} from './schemas.ts';
import { checkSignIn, signIn, signInByLink, startSession } from './sign-in.ts';
import { prepareSignUp, signUp } from './sign-up.ts';
import { askForVerification, verifyEmail } from './verify-email.ts';

const tag = 'Accounts';
const one = { status: 200, data: accountAnswer } as const;
const none = { status: 200, data: nothing } as const;

export function addAccountRoutes(routes: ManagementRoutes, deps: AccountDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/accounts',
      tag,
      operationId: 'createAccount',
      summary: 'Create an account',
      description:
        'For people who manage projects, not for the users of an app. Who can sign up depends on the deployment (`ACCOUNT_SIGNUP`); an invitation always works, unless sign-up is closed. The response signs you in.',
      body: signUpBody,
      answers: { status: 201, data: accountAnswer },
      prepare: (context, { body }) => prepareSignUp(deps, context, body),
    },
    async (context, { body, prepared }) => {
      const account = await signUp(deps, context, body, prepared);
      const answer = await startSession(context, account.id, 'sign-up', 201);
      return { ...answer, audit: { accountId: account.id, target: account.email } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/session',
      tag,
      operationId: 'signInAccount',
      summary: 'Sign in to manage projects',
      description: 'Sets a session cookie for the dashboard. Programs use personal access tokens instead.',
      body: signInBody,
      answers: one,
      prepare: async (context, { body }) => ('token' in body ? undefined : checkSignIn(deps, context, body)),
    },
    async (context, { body, prepared }) => {
      if (prepared) return signIn(context, prepared);
      return signInByLink(context, 'token' in body ? body.token : '');
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/session',
      tag,
      operationId: 'signOutAccount',
      summary: 'Sign out',
      description: 'Ends the session of the request, or revokes its personal access token.',
      answers: none,
    },
    async (context) => {
      await signOut(context);
      return { ...ok(null), headers: { 'Set-Cookie': noSessionCookie(context.isPlain) } };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/account',
      tag,
      operationId: 'getAccount',
      summary: 'See whose session or token this is',
      description: 'The account of the request, with its session or its personal access token.',
      answers: one,
    },
    async (context) => ok(await ownAccount(context)),
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/management/account',
      tag,
      operationId: 'updateAccount',
      summary: 'Change your name',
      description: 'The name is how the other people of your teams see you.',
      body: Type.Object({ name }, strict),
      answers: one,
    },
    async (context, { body }) => ok(await renameAccount(context, body.name)),
  );
  addSessionRoutes(routes);
  addPasswordRoutes(routes, deps);
}

function addSessionRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/sessions',
      tag,
      operationId: 'listAccountSessions',
      summary: 'List where you are signed in',
      description: 'One entry for each browser; the one used last comes first.',
      answers: { status: 200, data: Type.Array(sessionAnswer) },
    },
    async (context) => ok(await ownSessions(context)),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/sessions',
      tag,
      operationId: 'signOutAccountEverywhere',
      summary: 'Sign out everywhere',
      description:
        'Ends every session of the account. Personal access tokens keep working: revoke them one by one.',
      answers: none,
    },
    async (context) => {
      await signOutEverywhere(context);
      return { ...ok(null), headers: { 'Set-Cookie': noSessionCookie(context.isPlain) } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/sessions/:id',
      tag,
      operationId: 'endAccountSession',
      summary: 'End a session',
      description: 'It is rejected from its next request on.',
      params: Type.Object({ id }),
      answers: none,
      failures: [404],
    },
    async (context, { params }) => {
      await endOwnSession(context, params.id);
      return { ...ok(null), audit: { target: params.id } };
    },
  );
}

function addPasswordRoutes(routes: ManagementRoutes, deps: AccountDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/account/password',
      tag,
      operationId: 'changeAccountPassword',
      summary: 'Change your password',
      description: 'All sessions end; the response starts a new one.',
      body: passwordChangeBody,
      answers: one,
      prepare: (context, { body }) => preparePasswordChange(deps, context, body),
    },
    async (context, { prepared }) => {
      await changePassword(context, prepared);
      return startSession(context, context.caller?.account.id ?? '', 'password');
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/password-reset',
      tag,
      operationId: 'requestAccountPasswordReset',
      summary: 'Request a password reset',
      description:
        'Emails a link to the address if it belongs to an account. The response is the same if it does not.',
      body: Type.Object({ email }, strict),
      answers: none,
    },
    async (context, { body }) => {
      const accountId = await askForReset(deps, context, body.email);
      return { ...ok(null), audit: { accountId } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/password-reset/complete',
      tag,
      operationId: 'resetAccountPassword',
      summary: 'Set a new password with an emailed link',
      description: 'All sessions end. Sign in with the new password afterwards.',
      body: resetBody,
      answers: none,
      prepare: (context, { body }) => prepareReset(deps, context, body.password),
    },
    async (context, { body, prepared }) => {
      const { id: accountId } = await resetPassword(context, body.token, prepared);
      return { ...ok(null), audit: { accountId } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/account/verification',
      tag,
      operationId: 'requestAccountVerification',
      summary: 'Request another verification email',
      description: 'Emails a link that confirms the address of the account.',
      answers: none,
    },
    async (context) => {
      await askForVerification(deps, context);
      return ok(null);
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/verification',
      tag,
      operationId: 'verifyAccountEmail',
      summary: 'Confirm an email address with an emailed link',
      description: 'Takes the token of the link, which can be used once.',
      body: Type.Object({ token }, strict),
      answers: none,
    },
    async (context, { body }) => {
      const accountId = await verifyEmail(context, body.token);
      return { ...ok(null), audit: { accountId } };
    },
  );
}
