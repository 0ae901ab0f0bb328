import type { ProjectTypes } from '../project-types.ts';
import type { AuthCalls, LoginResult } from './auth-calls.ts';
import { toBase64Url } from './base64url.ts';

/** What must be there again when the browser comes back. */
interface Begun {
  readonly path: string;
  readonly redirectUri: string;
  readonly verifier?: string;
}

/** Kept for this tab alone, and until the browser is back. */
const keyOf = (state: string) => `plinth:sign-in:${state}`;

/** Sign-in on the page of a provider, or on a hosted page of the service. Needs `sessionStorage`, as in browsers. */
export class Redirects<P extends ProjectTypes> {
  readonly #calls: AuthCalls;

  constructor(calls: AuthCalls) {
    this.#calls = calls;
  }

  /** The URL for signing in at a provider: `location.href = await plinth.auth.redirects.urlOf('google')`. */
  async urlOf(provider: string, redirectUri: string = here()): Promise<string> {
    const name = encodeURIComponent(provider);
    const { url, state } = await this.#calls.send<{ url: string; state: string }>({
      method: 'GET',
      path: `/oauth/${name}`,
      query: new URLSearchParams({ redirect_uri: redirectUri, pkce: 'true' }).toString(),
      isAnonymous: true,
    });
    keep(state, { path: `/verify-${name}-login`, redirectUri });
    return url;
  }

  /** The URL for signing in on a hosted page of the service. */
  async urlOfHostedPage(redirectUri: string = here(), language?: string): Promise<string> {
    const random = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
    const [verifier, state] = [random(), random()];
    const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    keep(state, { path: '/exchange', redirectUri, verifier });
    const query = new URLSearchParams({
      redirect_uri: redirectUri,
      state,
      code_challenge: toBase64Url(challenge),
      ...(language && { lang: language }),
    });
    return `${this.#calls.url}/login?${query.toString()}`;
  }

  /**
   * Completes the sign-in after the browser was redirected back; undefined if it does not come from a sign-in that was
   * started in this tab. Remove the code from the URL afterwards: `history.replaceState(null, '', location.pathname)`.
   */
  async complete(address: string = location.href): Promise<LoginResult<P> | undefined> {
    const given = new URL(address).searchParams;
    const [code, state, error] = [given.get('code'), given.get('state'), given.get('error')];
    const kept = state && sessionStorage.getItem(keyOf(state));
    if (!state || !kept || !(code || error)) return undefined;
    sessionStorage.removeItem(keyOf(state));
    if (!code) throw new Error(`The sign-in was not completed: ${given.get('error_description') ?? error}`);
    const { path, redirectUri, verifier } = JSON.parse(kept) as Begun;
    const proof = verifier === undefined ? { state } : { code_verifier: verifier };
    return this.#calls.logIn(path, { code, redirect_uri: redirectUri, ...proof });
  }
}

const keep = (state: string, begun: Begun) => sessionStorage.setItem(keyOf(state), JSON.stringify(begun));

/** This page, without what an earlier sign-in has left in its address. */
const here = () => location.origin + location.pathname;
