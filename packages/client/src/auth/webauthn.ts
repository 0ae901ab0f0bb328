import { fromBase64Url, toBase64Url } from './base64url.ts';

/*
 * `PublicKeyCredential.parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON` and `toJSON` are in browsers since
 * 2025 only.
 */

type Descriptor = Omit<PublicKeyCredentialDescriptor, 'id'> & { readonly id: string };

/** What the service sends to ask for a passkey. */
export type RequestOptions = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  readonly challenge: string;
  readonly allowCredentials?: readonly Descriptor[];
};

/** What the service sends to have one made. */
export type CreationOptions = Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> & {
  readonly challenge: string;
  readonly user: Omit<PublicKeyCredentialUserEntity, 'id'> & { readonly id: string };
  readonly excludeCredentials?: readonly Descriptor[];
};

/** Asks the device for a passkey; the answer is as the service takes it. */
export async function askForPasskey(options: RequestOptions): Promise<object> {
  const publicKey = {
    ...options,
    challenge: fromBase64Url(options.challenge),
    allowCredentials: credentials(options.allowCredentials),
  };
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Has the device make a passkey. */
export async function makePasskey(options: CreationOptions): Promise<object> {
  const publicKey = {
    ...options,
    challenge: fromBase64Url(options.challenge),
    user: { ...options.user, id: fromBase64Url(options.user.id) },
    excludeCredentials: credentials(options.excludeCredentials),
  };
  return toJson(await navigator.credentials.create({ publicKey }));
}

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
