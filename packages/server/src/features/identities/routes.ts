import { type Static, Type } from 'typebox';
import { ok } from '../../platform/http/answer.ts';
import { repeatSignIn, secondStepSchema, signedInSchema } from '../app-users/index.ts';
import type { ProjectRoutes, RequestContext, RouteInput } from '../projects/index.ts';
import { invalidQuery, refuseOthers } from '../query/index.ts';
import { listOwnIdentities, removeOwnIdentity } from './own-identities.ts';
import { Providers } from './providers.ts';
import { identitySchema, providerParams, startAnswer, startParameters, verifyBody } from './schemas.ts';
import type { IdentityServices } from './services.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { type LoginWish, startLogin } from './start-login.ts';
import { type ProvenIdentity, verifyLogin } from './verify-login.ts';

const tag = 'Sign-in flows';

export function addIdentityRoutes(routes: ProjectRoutes, services: IdentityServices): void {
  addLogin(routes, services);
  addOwnIdentities(routes, services);
}

function addLogin(routes: ProjectRoutes, services: IdentityServices): void {
  const providers = new Providers(services);
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/oauth/:provider',
      access: 'anyone',
      tag,
      operationId: 'startProviderLogin',
      summary: 'Where to send a user to log in at an identity provider',
      params: providerParams,
      query: startParameters,
      answers: { status: 200, data: startAnswer },
      failures: [400, 404],
    },
    async (context, input) => ok(await startLogin(services, providers, context, readWish(input))),
  );
  routes.add(
    {
      method: 'POST',
      url: '/auth-collections/verify-:provider-login',
      access: 'anyone',
      tag,
      operationId: 'verifyProviderLogin',
      summary: 'Log in with what an identity provider gave',
      params: providerParams,
      body: verifyBody,
      answers: { status: 200, data: Type.Union([signedInSchema, secondStepSchema]) },
      failures: [400, 404],
      usesUp: true,
      prepare: (context, input) => verifyLogin(services, providers, context, readAnswer(input)),
      replay: (context: RequestContext, kept: string) => repeatSignIn(services.accounts, context, kept, 200),
    },
    (context, { prepared }) => signInWithIdentity(services, context, prepared as ProvenIdentity),
  );
}

function addOwnIdentities(routes: ProjectRoutes, services: IdentityServices): void {
  routes.add(
    {
      method: 'GET',
      url: '/auth-collections/identities',
      access: 'user',
      tag,
      operationId: 'listIdentities',
      summary: 'The identity providers that sign the user in',
      answers: { status: 200, data: Type.Array(identitySchema) },
      failures: [400],
    },
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok(await listOwnIdentities(context));
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/auth-collections/identities/:provider',
      access: 'user',
      tag,
      operationId: 'removeIdentity',
      summary: 'Disconnect the user from an identity provider',
      params: providerParams,
      answers: { status: 200, data: Type.Object({ provider: Type.String(), deleted: Type.Literal(true) }) },
      failures: [400, 404],
    },
    async (context, { params }) => {
      await removeOwnIdentity(services, context, params.provider!);
      return ok({ provider: params.provider!, deleted: true });
    },
  );
}

function readWish({ params, queryString }: RouteInput): LoginWish {
  refuseOthers(queryString, ['redirect_uri', 'pkce']);
  const query = new URLSearchParams(queryString);
  for (const name of ['redirect_uri', 'pkce'])
    if (query.getAll(name).length > 1) throw invalidQuery(name, 'It may be there once only.');
  const pkce = query.get('pkce') ?? 'false';
  if (pkce !== 'true' && pkce !== 'false') throw invalidQuery('pkce', 'It is true or false.');
  return {
    provider: params.provider!,
    redirectUri: query.get('redirect_uri') ?? '',
    usesPkce: pkce === 'true',
  };
}

function readAnswer({ params, body }: RouteInput) {
  const { code, state, redirect_uri: redirectUri } = body as Static<typeof verifyBody>;
  return { provider: params.provider!, code, redirectUri, state };
}
