import { randomBytes } from 'node:crypto';
import {
  type IdentityProvider,
  type ProviderAccount,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { Dashboard } from '../support/management/dashboard.ts';
import { type TestApp, testApp } from '../support/test-app.ts';

/** Where people manage projects: the issuer sends them back there, and tests bring them to the node. */
export const dashboardUrl = 'https://dash.example.com';

export interface Arrival {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly text: string;
  readonly code: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

export interface OpenIdStage extends AsyncDisposable {
  readonly t: TestApp;
  readonly idp: IdentityProvider;
  /** Goes to an address of the node as a browser does, and does not follow it further. */
  go(path: string, headers?: Headers, url?: string): Promise<Arrival>;
  /** Begins in a browser, and has somebody sign in at the issuer. */
  visit(account: ProviderAccount, to?: string, url?: string): Promise<{ cookie: string; callback: string }>;
  /** The whole way. */
  signIn(account: ProviderAccount, to?: string, url?: string): Promise<Arrival>;
  /** The dashboard in the browser that has arrived. */
  dashboard(arrival: Arrival): Dashboard;
}

export async function openIdStage(overrides: Record<string, string> = {}): Promise<OpenIdStage> {
  const { DASHBOARD_URL = dashboardUrl } = overrides;
  const redirectUris = [`${DASHBOARD_URL}/management/session/openid/callback`];
  const idp = await startIdentityProvider({ redirectUris });
  const t = await testApp({
    DASHBOARD_URL,
    ACCOUNT_OIDC_ISSUER: idp.issuer,
    ACCOUNT_OIDC_CLIENT: `${idp.clientId}:${idp.clientSecret}`,
    ...overrides,
  });
  const go: OpenIdStage['go'] = async (path, headers = {}, url = t.url) => {
    const response = await fetch(`${url}${path}`, { redirect: 'manual', headers });
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location'),
      cookies: response.headers.getSetCookie(),
      text,
      code: /"code":"(\w+)"/.exec(text)?.[1],
    };
  };
  const visit: OpenIdStage['visit'] = async (account, to, url) => {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
    const begun = await go(`/management/session/openid${query}`, {}, url);
    if (begun.location === null) throw new Error(begun.text);
    const { parameters } = await idp.signIn(begun.location, account);
    const callback = `/management/session/openid/callback?${parameters.toString()}`;
    return { cookie: cookieOf(begun, 'plinth-dev-openid'), callback };
  };
  return {
    t,
    idp,
    go,
    visit,
    signIn: async (account, to, url) => {
      const { cookie, callback } = await visit(account, to, url);
      return go(callback, { cookie }, url);
    },
    dashboard: (arrival) => new Dashboard(t.url, cookieOf(arrival, 'plinth-dev')),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

/** `name=value` of a cookie that was set. */
export function cookieOf({ cookies }: Arrival, name: string): string {
  const set = cookies.find((one) => one.startsWith(`${name}=`)) ?? '';
  return set.split(';', 1)[0] ?? '';
}

/** Somebody at the issuer, whose address it has verified. */
export const somebody = (email: string, more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  sub: randomBytes(8).toString('hex'),
  email,
  email_verified: true,
  ...more,
});
