import { Type } from 'typebox';
import {
  invalidQuery,
  ok,
  type ProjectRoutes,
  type RouteInput,
  refuseOthers,
  routeGroup,
} from '../../../calls/index.ts';
import { repeatSignIn, signInAnswer } from '../sessions/index.ts';
import { beginSignIn, type SignInWish } from './begin-sign-in.ts';
import type { IdentityDeps } from './deps.ts';
import { listOwnIdentities, removeOwnIdentity } from './own-identities.ts';
import { Providers } from './providers.ts';
import {
  identitySchema,
  providerParams,
  removedSchema,
  startAnswer,
  startParameters,
  verifyBody,
} from './schemas.ts';
import { guardIdentity, signInWithIdentity } from './sign-in-with-identity.ts';
import { addUserIdentities } from './user-routes.ts';
import { verifySignIn } from './verify-sign-in.ts';

const route = routeGroup({
  url: '/auth-collections',
  scope: 'users',
  tag: 'Sign-in flows',
  isSecret: true,
  failures: [400, 404],
});

export function addIdentityRoutes(routes: ProjectRoutes, deps: IdentityDeps): void {
  addSignIn(routes, deps);
  addOwnIdentities(routes, deps);
  addUserIdentities(routes, deps);
}

function addSignIn(routes: ProjectRoutes, deps: IdentityDeps): void {
  const providers = new Providers(deps);
  routes.add(
    route('/oauth/:provider', {
      method: 'GET',
      operationId: 'startProviderLogin',
      summary: 'Start a sign-in at an identity provider',
      description:
        'Redirect the user to `url`. The provider redirects back to `redirect_uri` with a code, which you then verify.',
      access: 'anyone',
      params: providerParams,
      query: startParameters,
      answers: { status: 200, data: startAnswer },
    }),
    async (context, input) => ok(await beginSignIn(deps, providers, context, readWish(input))),
  );
  routes.add(
    route('/verify-:provider-login', {
      method: 'POST',
      operationId: 'verifyProviderLogin',
      summary: 'Complete a sign-in at an identity provider',
      description:
        'On the first sign-in, an app user is created. An email address that an app user already has is connected only if both sides have verified it.',
      access: 'anyone',
      params: providerParams,
      body: verifyBody,
      answers: signInAnswer,
      usesUp: true,
      prepare: (context, input) => verifySignIn(deps, providers, context, readAnswer(input)),
      guard: (context, { prepared }, guards) => guardIdentity(deps, context, prepared, guards),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared, guarded }) => signInWithIdentity(deps, context, prepared, guarded),
  );
}

function addOwnIdentities(routes: ProjectRoutes, deps: IdentityDeps): void {
  routes.add(
    route('/identities', {
      method: 'GET',
      operationId: 'listIdentities',
      summary: 'List the identity providers that sign the user in',
      description: 'The providers that the user has signed in with, and the email address from each.',
      access: 'user',
      answers: { status: 200, data: Type.Array(identitySchema) },
      failures: [400],
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listOwnIdentities(context));
    },
  );
  routes.add(
    route('/identities/:provider', {
      method: 'DELETE',
      operationId: 'removeIdentity',
      summary: 'Disconnect the user from an identity provider',
      description: 'Fails if the user has no other way to sign in.',
      access: 'user',
      params: providerParams,
      answers: { status: 200, data: removedSchema },
    }),
    async (context, { params }) => {
      await removeOwnIdentity(deps, context, params.provider);
      return ok({ provider: params.provider, deleted: true });
    },
  );
}

function readWish({ params, queryString }: RouteInput<typeof providerParams>): SignInWish {
  refuseOthers(queryString, ['redirect_uri', 'pkce']);
  const query = new URLSearchParams(queryString);
  for (const name of ['redirect_uri', 'pkce'])
    if (query.getAll(name).length > 1) throw invalidQuery(name, 'It must not appear more than once.');
  const pkce = query.get('pkce') ?? 'false';
  if (pkce !== 'true' && pkce !== 'false') throw invalidQuery('pkce', 'It must be true or false.');
  return {
    provider: params.provider,
    redirectUri: query.get('redirect_uri') ?? '',
    usesPkce: pkce === 'true',
  };
}

function readAnswer({ params, body }: RouteInput<typeof providerParams, typeof verifyBody>) {
  const { code, state, redirect_uri: redirectUri } = body;
  return { provider: params.provider, code, redirectUri, state };
}
