import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false } as const;
const bytes = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength });
/** At most 1,023 bytes. */
const credentialId = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1364 });
const credentialHead = { id: credentialId, rawId: credentialId, type: Type.Literal('public-key') };
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name of the passkey.',
  examples: ['My phone'],
});
const head = { id: 'Rk9PQkFS', rawId: 'Rk9PQkFS', type: 'public-key', clientExtensionResults: {} };

/** What `toJSON()` of a browser's credential gives; anything else in it is ignored. */
const createdCredential = Type.Object(
  {
    ...credentialHead,
    response: Type.Object({
      clientDataJSON: bytes(8192),
      attestationObject: bytes(16_384),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
    }),
    clientExtensionResults: Type.Object({}),
  },
  {
    description: 'The result of `navigator.credentials.create`, as returned by `toJSON()`.',
    examples: [{ ...head, response: { clientDataJSON: 'eyJ0eXBl', attestationObject: 'o2NmbXRk' } }],
  },
);
const usedCredential = Type.Object(
  {
    ...credentialHead,
    response: Type.Object({
      clientDataJSON: bytes(8192),
      authenticatorData: bytes(8192),
      signature: bytes(8192),
      userHandle: Type.Optional(bytes(128)),
    }),
    clientExtensionResults: Type.Object({}),
  },
  {
    description: 'The result of `navigator.credentials.get`, as returned by `toJSON()`.',
    examples: [
      {
        ...head,
        response: { clientDataJSON: 'eyJ0eXBl', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQDx' },
      },
    ],
  },
);

export const registerOptionsBody = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'The current password, for users who have one.',
        examples: ['correct horse'],
      }),
    ),
  },
  strict,
);
export const registerBody = Type.Object({ response: createdCredential, name: Type.Optional(name) }, strict);
export type RegisterBody = Static<typeof registerBody>;
export const signInBody = Type.Object({ response: usedCredential }, strict);
export type SignInBody = Static<typeof signInBody>;
export const renameBody = Type.Object({ name }, strict);
export const passkeyParams = Type.Object({ id: Type.String({ description: 'Id of the passkey.' }) });

const options = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
    examples: [{ challenge: 'cXdlcnR6dWk', timeout: 300_000, userVerification: 'required' }],
  });
export const creationOptionsSchema = options(
  'For `PublicKeyCredential.parseCreationOptionsFromJSON`; valid once, for 5 minutes.',
);
export const requestOptionsSchema = options(
  'For `PublicKeyCredential.parseRequestOptionsFromJSON`; valid once, for 5 minutes.',
);

export const passkeySchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ examples: ['My phone'] }),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null if it was never used.',
  }),
  backedUp: Type.Boolean({
    description: 'It is backed up: it is not lost with a device.',
  }),
});

export const deletedPasskey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  deleted: Type.Literal(true),
});
