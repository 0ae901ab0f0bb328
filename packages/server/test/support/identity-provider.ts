import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';

/** A person who has an account at the provider. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly picture?: string;
}

type TokenAnswer = Record<string, unknown>;

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By `sub`; a test may change what the provider says of somebody. */
  readonly accounts: Map<string, ProviderAccount>;
  /** Does what a person with a browser would, and gives what the provider sends to the redirect URI. */
  signIn(authorizationUrl: string | URL, account: ProviderAccount): Promise<ProviderAnswer>;
  /** Changes what the token endpoint answers from now on, for answers that an honest provider would not give. */
  alterTokens(alter: (answer: TokenAnswer) => TokenAnswer | Promise<TokenAnswer>): void;
  /** An ID token with the provider's own signature. */
  signIdToken(claims: JWTPayload): Promise<string>;
}

export interface ProviderAnswer {
  readonly code: string;
  readonly state: string | null;
  readonly redirectUri: string;
  readonly parameters: URLSearchParams;
}

interface ProviderOptions {
  readonly redirectUris: readonly string[];
  readonly accounts?: readonly ProviderAccount[];
  readonly clientId?: string;
}

const signInAs = 'x-sign-in-as';

/** A real OpenID provider on the loopback interface, with one confidential client. */
export async function startIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' };
  const client = {
    clientId: options.clientId ?? 'plinth-tests',
    clientSecret: randomBytes(16).toString('hex'),
  };
  const accounts = new Map((options.accounts ?? []).map((account) => [account.sub, account]));
  const provider = new Provider(issuer, configure({ ...options, ...client, accounts, key }));
  let alter: (answer: TokenAnswer) => TokenAnswer | Promise<TokenAnswer> = (answer) => answer;
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/token' && context.status === 200) {
      context.body = await alter(context.body as TokenAnswer);
    }
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const answered = request.url?.startsWith('/interaction/')
      ? interact(provider, request, response)
      : answer(request, response);
    answered.catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return {
    issuer,
    ...client,
    accounts,
    signIn: (authorizationUrl, account) => {
      accounts.set(account.sub, account);
      return walk(new URL(authorizationUrl), { issuer, sub: account.sub });
    },
    alterTokens: (how) => {
      alter = how;
    },
    signIdToken: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Setup {
  readonly redirectUris: readonly string[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: ReadonlyMap<string, ProviderAccount>;
  readonly key: JWK;
}

function configure({ accounts, ...setup }: Setup): Configuration {
  return {
    clients: [
      {
        client_id: setup.clientId,
        client_secret: setup.clientSecret,
        redirect_uris: [...setup.redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [setup.key] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // As Google and Apple do: the ID token says it all.
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 3600, IdToken: 3600, Interaction: 600, Session: 600, Grant: 600 },
    findAccount: (_context, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ ...account }) };
    },
  };
}

/** Logs in the person the call names, or agrees to everything that is asked for, without a page. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    const login = { accountId: String(request.headers[signInAs]) };
    return provider.interactionFinished(request, response, { login });
  }
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent });
}

/** Follows the redirects of the provider, with its cookies, until one leaves it. */
async function walk(start: URL, { issuer, sub }: { issuer: string; sub: string }): Promise<ProviderAnswer> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { [signInAs]: sub, cookie } });
    const location = answer.headers.get('location');
    if (!location) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    url = new URL(location, issuer);
    if (url.origin !== issuer) return answerIn(url);
  }
  throw new Error('The provider redirects without an end.');
}

function answerIn(url: URL): ProviderAnswer {
  const parameters = url.searchParams;
  const code = parameters.get('code');
  if (!code) throw new Error(`The provider sends no code: ${parameters.toString()}`);
  return { code, state: parameters.get('state'), redirectUri: url.origin + url.pathname, parameters };
}
