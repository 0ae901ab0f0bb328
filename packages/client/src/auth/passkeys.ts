import type { ProjectTypes, User } from '../project-types.ts';
import type { AuthCalls } from './auth-calls.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** Other devices of the user have it too. */
  readonly backedUp: boolean;
}

/** Sign-in with a finger, a face or a PIN. In pages, over HTTPS or on localhost. */
export class Passkeys<P extends ProjectTypes> {
  readonly #calls: AuthCalls;

  constructor(calls: AuthCalls) {
    this.#calls = calls;
  }

  /** Asks for a passkey of this page, and signs in. Nobody needs to be named. */
  async logIn(): Promise<User<P>> {
    const options = await this.#calls.post<RequestOptions>(
      '/passkeys/login/options',
      {},
      { isAnonymous: true },
    );
    const publicKey = {
      ...options,
      challenge: fromBase64Url(options.challenge),
      allowCredentials: credentials(options.allowCredentials),
    };
    const response = toJson(await navigator.credentials.get({ publicKey }));
    const { user } = await this.#calls.logIn('/passkeys/login', { response });
    return user as User<P>;
  }

  /** Makes one for whoever is signed in, and asks for the password of those who have one. */
  async add({ name, password }: { name?: string; password?: string } = {}): Promise<Passkey> {
    const options = await this.#calls.post<CreationOptions>('/passkeys/register/options', { password });
    const publicKey = {
      ...options,
      challenge: fromBase64Url(options.challenge),
      user: { ...options.user, id: fromBase64Url(options.user.id) },
      excludeCredentials: credentials(options.excludeCredentials),
    };
    const response = toJson(await navigator.credentials.create({ publicKey }));
    return this.#calls.post('/passkeys/register', { response, name });
  }

  list(): Promise<Passkey[]> {
    return this.#calls.send({ method: 'GET', path: '/passkeys' });
  }

  rename(id: string, name: string): Promise<Passkey> {
    return this.#calls.send({ method: 'PATCH', path: placeOf(id), body: { name } });
  }

  async delete(id: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: placeOf(id) });
  }
}

const placeOf = (id: string) => `/passkeys/${encodeURIComponent(id)}`;

/*
 * `PublicKeyCredential.parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON` and `toJSON` are in browsers since
 * 2025 only.
 */
type Descriptor = Omit<PublicKeyCredentialDescriptor, 'id'> & { readonly id: string };
type RequestOptions = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  readonly challenge: string;
  readonly allowCredentials?: readonly Descriptor[];
};
type CreationOptions = Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> & {
  readonly challenge: string;
  readonly user: Omit<PublicKeyCredentialUserEntity, 'id'> & { readonly id: string };
  readonly excludeCredentials?: readonly Descriptor[];
};

const credentials = (listed: readonly Descriptor[] = []): PublicKeyCredentialDescriptor[] =>
  listed.map((one) => ({ ...one, id: fromBase64Url(one.id) }));

function toJson(credential: Credential | null): object {
  if (!credential) throw new Error('No passkey was chosen.');
  const { id, rawId, type, response, authenticatorAttachment } = credential as PublicKeyCredential;
  const parts = response as Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>;
  const bytes = {
    clientDataJSON: parts.clientDataJSON,
    attestationObject: parts.attestationObject,
    authenticatorData: parts.authenticatorData ?? parts.getAuthenticatorData?.(),
    signature: parts.signature,
    userHandle: parts.userHandle,
  };
  const texts = Object.entries(bytes).flatMap(([name, value]) => (value ? [[name, toBase64Url(value)]] : []));
  return {
    id,
    rawId: toBase64Url(rawId),
    type,
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: {},
    response: {
      ...Object.fromEntries(texts),
      ...(parts.getTransports && { transports: parts.getTransports() }),
    },
  };
}
