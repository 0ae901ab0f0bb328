/*
 * `PublicKeyCredential.parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON` and `toJSON` are not in every browser
 * that the dashboard is for.
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

/** Whether this browser knows passkeys; they need HTTPS or localhost. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** Asks the device for a passkey. */
export async function askForPasskey(options: RequestOptions): Promise<object> {
  const { allowCredentials = [], challenge, ...more } = options;
  const publicKey = {
    ...more,
    challenge: toBytes(challenge),
    allowCredentials: allowCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
  };
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Has the device make a passkey. */
export async function makePasskey(options: CreationOptions): Promise<object> {
  const { excludeCredentials = [], challenge, user, ...more } = options;
  const publicKey = {
    ...more,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
  };
  return toJson(await navigator.credentials.create({ publicKey }));
}

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

function toText(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function toJson(credential: Credential | null): object {
  if (!credential) throw new Error('No passkey was chosen.');
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const parts = response as Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>;
  const bytes = {
    clientDataJSON: parts.clientDataJSON,
    attestationObject: parts.attestationObject,
    authenticatorData: parts.authenticatorData,
    signature: parts.signature,
    userHandle: parts.userHandle,
  };
  const written = Object.entries(bytes).flatMap(([name, value]) => (value ? [[name, toText(value)]] : []));
  return {
    id,
    rawId: toText(rawId),
    type,
    clientExtensionResults: {},
    response: {
      ...Object.fromEntries(written),
      ...(parts.getTransports && { transports: parts.getTransports() }),
    },
  };
}
