import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { setOrigins, setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { Vault } from '../../../src/platform/crypto/vault.ts';
import type { Reply } from '../client.ts';
import {
  type IdentityProvider,
  type ProviderAccount,
  type ProviderAnswer,
  startIdentityProvider,
} from '../identity-provider.ts';
import { type TestApp, testApp } from '../test-app.ts';
import { doorOf, newEmail } from './people.ts';

export const origin = 'https://app.example.com';
export const redirectUri = `${origin}/signed-in`;

interface LoginWish {
  readonly provider?: string;
  readonly pkce?: boolean;
  readonly redirectUri?: string;
  readonly project?: 0 | 1;
}

/** A node whose projects know one OpenID provider, under the names `acme` and `google`. */
export interface Stage extends AsyncDisposable {
  readonly t: TestApp;
  readonly idp: IdentityProvider;
  setProvider(name: string, value: unknown, project?: 0 | 1): Promise<void>;
  start(wish?: LoginWish): Promise<Reply>;
  verify(body: Record<string, unknown>, wish?: LoginWish): Promise<Reply>;
  /** Has somebody log in at the provider; what the provider sends back to the app. */
  visit(account: ProviderAccount, wish?: LoginWish): Promise<ProviderAnswer>;
  /** The whole way, as an app would go it. */
  logIn(account: ProviderAccount, wish?: LoginWish): Promise<Reply>;
}

/** Where the provider may send people back to. */
const registered = [redirectUri, `${origin}/other`, `${origin}/signed-in?from=acme`];

export async function openStage(overrides: Record<string, string> = {}): Promise<Stage> {
  const t = await testApp({ OUTBOUND_ALLOW: '127.0.0.0/8', ...overrides });
  const idp = await startIdentityProvider({ redirectUris: registered });
  const vault = new Vault(t.config.SECRET_KEY);
  const setProvider = async (name: string, value: unknown, project: 0 | 1 = 0) => {
    const { ref } = t.projects[project];
    await setProjectSecret(t.control, vault, { ref, name: `provider:${name}`, value });
  };
  const settings = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
  for (const project of [0, 1] as const) {
    await setOrigins(t.control, t.projects[project].ref, [origin, 'http://localhost:5173']);
    for (const name of ['acme', 'google']) await setProvider(name, settings, project);
  }
  const start: Stage['start'] = ({
    provider = 'acme',
    pkce,
    redirectUri: to = redirectUri,
    project,
  } = {}) => {
    const query = new URLSearchParams({ redirect_uri: to, ...(pkce && { pkce: 'true' }) });
    return doorOf(t, project).get(`/auth-collections/oauth/${provider}?${query.toString()}`);
  };
  const verify: Stage['verify'] = (body, { provider = 'acme', project } = {}) =>
    doorOf(t, project).post(`/auth-collections/verify-${provider}-login`, body);
  const visit: Stage['visit'] = async (account, wish) => {
    const begun = await start(wish);
    expect(begun.status, begun.text).toBe(200);
    return idp.signIn(begun.body.data.url, account);
  };
  return {
    t,
    idp,
    setProvider,
    start,
    verify,
    visit,
    logIn: async (account, wish) => {
      const { code, state } = await visit(account, wish);
      return verify({ code, redirect_uri: wish?.redirectUri ?? redirectUri, state }, wish);
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

/** Somebody with an account at the provider, whose address it has verified. */
export function newAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
  return { sub: randomBytes(8).toString('hex'), email: newEmail(), email_verified: true, ...more };
}

export const outcome = ({ status, body }: Reply): [number, string | undefined] => [status, body?.error?.code];
