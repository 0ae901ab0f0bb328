import type { ClientAuth, Configuration, IDToken, ServerMetadata } from 'openid-client';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { createClientSecret } from './apple.ts';
import { oauthFailed } from './errors.ts';
import { loadOpenIdClient, OpenIdIssuers } from './openid-issuers.ts';
import type { Provider, ProviderProfile, SignInCode, SignInRequest } from './provider.ts';
import type { ProviderSettings } from './provider-settings.ts';

const wellKnown: Readonly<Record<string, { issuer: string; scopes?: string }>> = {
  google: { issuer: 'https://accounts.google.com' },
  apple: { issuer: 'https://appleid.apple.com', scopes: 'name email' },
};

/** A provider that speaks OpenID Connect: Google, Apple, and any issuer that a project names. */
export class OpenIdProvider implements Provider {
  readonly #issuers: OpenIdIssuers;
  readonly #settings: ProviderSettings;
  readonly #issuer: string;
  readonly #scopes: string;
  readonly #isApple: boolean;

  constructor(issuers: OpenIdIssuers, name: string, settings: ProviderSettings) {
    const known = Object.hasOwn(wellKnown, name) ? wellKnown[name] : undefined;
    this.#issuers = issuers;
    this.#settings = settings;
    this.#issuer = settings.issuer ?? known?.issuer ?? '';
    this.#scopes = settings.scopes ?? known?.scopes ?? 'openid email profile';
    this.#isApple = name === 'apple';
  }

  async signInUrl({ redirectUri, state, proof }: SignInRequest): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadOpenIdClient();
    const url = buildAuthorizationUrl(await this.#client(), {
      redirect_uri: redirectUri,
      scope: this.#scopes,
      state,
      // With name or e-mail among the scopes Apple insists on this. It then POSTs a form with `code` and `state` to
      // redirect_uri, from its own site: that must be a route of the app's server, which hands both on; a page alone cannot
      // read them. Apple also takes only https and a domain name that was registered, never localhost.
      ...(this.#isApple && { response_mode: 'form_post' }),
      ...(proof && {
        code_challenge: await calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
        nonce: proof.nonce,
      }),
    });
    if (!/^https?:$/.test(url.protocol))
      throw oauthFailed('The identity provider has no authorization endpoint.');
    return url;
  }

  async identify({ code, redirectUri, proof }: SignInCode): Promise<ProviderProfile> {
    const { genericGrantRequest } = await loadOpenIdClient();
    const client = await this.#client();
    const tokens = await genericGrantRequest(client, 'authorization_code', {
      code,
      redirect_uri: redirectUri,
      ...(proof && { code_verifier: proof.verifier }),
    });
    await this.#issuers.keepKeys(this.#issuer, client);
    const claims = tokens.claims();
    if (!claims) throw oauthFailed('The identity provider sent no ID token.');
    if (claims.nonce !== proof?.nonce) throw oauthFailed('The ID token belongs to another sign-in.');
    return profileOf({ ...(await missingClaims(client, tokens.access_token, claims)), ...claims });
  }

  async #client(): Promise<Configuration> {
    return this.#issuers.client(this.#issuer, this.#settings.client_id, await this.#authentication());
  }

  async #authentication(): Promise<ClientAuth> {
    const { ClientSecretBasic, ClientSecretPost, None } = await loadOpenIdClient();
    if (this.#isApple) return ClientSecretPost(await createClientSecret(this.#settings, this.#issuer));
    const secret = this.#settings.client_secret;
    if (secret === undefined) return None();
    return (server, ...rest) =>
      (takesBasic(server) ? ClientSecretBasic : ClientSecretPost)(secret)(server, ...rest);
  }
}

/** The issuer that whoever runs the deployment has chosen, for people who are nobody's app users. */
export function deploymentProvider(
  outbound: Pick<Outbound, 'fetch'>,
  settings: Required<Pick<ProviderSettings, 'issuer' | 'client_id' | 'client_secret'>>,
): Provider {
  return new OpenIdProvider(new OpenIdIssuers(outbound), 'deployment', settings);
}

/** Basic authentication is what every provider takes unless it says otherwise. */
function takesBasic({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean {
  return methods?.includes('client_secret_basic') ?? true;
}

/** Some providers put only the subject into the ID token, and the rest at an address of its own. */
async function missingClaims(client: Configuration, accessToken: string, claims: IDToken): Promise<object> {
  if (claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return {};
  const { fetchUserInfo } = await loadOpenIdClient();
  return fetchUserInfo(client, accessToken, claims.sub);
}

function profileOf(claims: IDToken): ProviderProfile {
  return {
    subject: claims.sub,
    email: claims.email,
    // Apple writes it as text.
    isEmailVouched: claims.email_verified === true || claims.email_verified === 'true',
    name: claims.name,
    picture: claims.picture,
  };
}
