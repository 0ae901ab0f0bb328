import { sha256 } from '../../../platform/crypto/secrets.ts';
import { type Outbound, readJson } from '../../../platform/outbound/outbound.ts';
import type { Provider, ProviderProfile, SignInCode, SignInRequest } from './provider.ts';
import { refusedByProvider, strangeAnswer } from './provider-failures.ts';
import type { ProviderSettings } from './provider-settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** GitHub, which speaks OAuth 2 but not OpenID Connect. */
export class GitHubProvider implements Provider {
  readonly #outbound: Outbound;
  readonly #settings: ProviderSettings;
  readonly #site: string;
  readonly #api: string;

  constructor(outbound: Outbound, settings: ProviderSettings) {
    this.#outbound = outbound;
    this.#settings = settings;
    this.#site = (settings.base_url ?? 'https://github.com').replace(/\/+$/, '');
    this.#api = apiOf(this.#site);
  }

  async signInUrl({ redirectUri, state, proof }: SignInRequest): Promise<URL> {
    const url = new URL(`${this.#site}/login/oauth/authorize`);
    url.search = new URLSearchParams({
      client_id: this.#settings.client_id,
      redirect_uri: redirectUri,
      scope: this.#settings.scopes ?? 'read:user user:email',
      state,
      ...(proof && {
        code_challenge: sha256(proof.verifier).toString('base64url'),
        code_challenge_method: 'S256',
      }),
    }).toString();
    return url;
  }

  async identify(code: SignInCode): Promise<ProviderProfile> {
    const token = await this.#trade(code);
    const user = asObject(await this.#read('/user', token));
    if (!Number.isSafeInteger(user.id)) throw strangeAnswer('GitHub did not identify a user');
    const email = primaryOf(await this.#read('/user/emails', token));
    return {
      subject: String(user.id),
      email: email?.email,
      isEmailVouched: email?.verified === true,
      name: user.name ?? user.login,
      picture: user.avatar_url,
    };
  }

  async #trade({ code, redirectUri, proof }: SignInCode): Promise<string> {
    const answer = await this.#outbound.fetch(`${this.#site}/login/oauth/access_token`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        client_id: this.#settings.client_id,
        client_secret: this.#settings.client_secret ?? '',
        code,
        redirect_uri: redirectUri,
        ...(proof && { code_verifier: proof.verifier }),
      }),
    });
    // GitHub answers 200 to failures too.
    const body = asObject(await readJson(answer));
    if (typeof body.error === 'string') throw refusedByProvider(body);
    if (typeof body.access_token !== 'string') throw strangeAnswer('GitHub sent no token');
    return body.access_token;
  }

  async #read(path: string, token: string): Promise<unknown> {
    const answer = await this.#outbound.fetch(this.#api + path, {
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'User-Agent': 'plinth',
      },
    });
    if (answer.status !== 200) throw strangeAnswer(`GitHub returned ${answer.status} for ${path}`);
    return readJson(answer);
  }
}

function apiOf(site: string): string {
  const { protocol, host } = new URL(site);
  if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`;
  return `${site}/api/v3`;
}

function asObject(value: unknown): Json {
  if (!isObject(value)) throw strangeAnswer('GitHub did not return an object');
  return value;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The address a person is known by; GitHub says whether it was verified. */
function primaryOf(emails: unknown): Json | undefined {
  if (!Array.isArray(emails)) throw strangeAnswer('GitHub returned no email addresses');
  return emails.map(asObject).find(({ primary }) => primary === true);
}
