import { Type } from 'typebox';

/** A new password. */
export const password = Type.String({ minLength: 8, maxLength: 256 });
/** A password to compare: its form says nothing, so only its size is bounded. */
const givenPassword = Type.String({ maxLength: 256 });
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
const data = anyObject('Free-form fields of the user.');
const patchedData = anyObject(
  'Fields to replace, and atomic operators: $append, $addUnique, $remove, $increment, $unset.',
);
const role = Type.String({ minLength: 1, maxLength: 64 });
const email = Type.String({ minLength: 3, maxLength: 254 });

export const userParams = Type.Object({ id: Type.String({ description: 'Id of the app user.' }) });

export const signUpBody = Type.Object(
  { email, password, data: Type.Optional(data), role: Type.Optional(role) },
  { additionalProperties: false },
);

export const logInBody = Type.Object(
  { email: Type.String({ maxLength: 254 }), password: givenPassword },
  { additionalProperties: false },
);

export const changeSelfBody = Type.Object(
  {
    data: Type.Optional(patchedData),
    role: Type.Optional(role),
    email: Type.Optional(email),
    password: Type.Optional(givenPassword),
  },
  { additionalProperties: false },
);

export const changePasswordBody = Type.Object(
  { old_password: givenPassword, new_password: password },
  { additionalProperties: false },
);

export const changeUserBody = Type.Object(
  {
    email: Type.Optional(email),
    email_verified: Type.Optional(Type.Boolean()),
    phone: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Null()])),
    role: Type.Optional(role),
    data: Type.Optional(patchedData),
    claims: Type.Optional(patchedData),
    suspended: Type.Optional(Type.Boolean()),
    password: Type.Optional(password),
    authenticator: Type.Optional(
      Type.Literal(false, {
        description: 'Removes the authenticator app and its recovery codes, for a user who has lost both.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const userSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: Type.String(),
    email_verified: Type.Boolean(),
    phone: Type.Optional(Type.String()),
    data,
    claims: Type.Object(
      {},
      { additionalProperties: true, description: 'What the project’s server says of the user.' },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AppUser' },
);

export const profileSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    role: Type.String(),
    data,
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PublicProfile' },
);

export const userReference = Type.Unsafe({ $ref: 'AppUser#' });
export const profileReference = Type.Unsafe({ $ref: 'PublicProfile#' });

export const signedInSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_at: Type.String({ format: 'date-time' }),
  user: userReference,
});

export const sessionSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  method: Type.String({
    description: 'How it began: `password`, `phone`, `passkey`, the name of a provider …',
  }),
  device: Type.Union([Type.String(), Type.Null()], {
    description: 'Browser and system, as far as they tell: `Firefox, Windows`.',
  }),
  address: Type.String({ description: 'The network address it began from.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time' }),
  current: Type.Boolean({ description: 'The sign-in of the token that was sent.' }),
});

/** What login answers when the password is right and a second step is needed. */
export const secondStepSchema = Type.Object({
  requires_2fa: Type.Literal(true),
  challenge: Type.String({ description: 'Sent along with the code to `2fa/verify`.' }),
  methods: Type.Array(Type.String({ description: '`email`, `totp` or `recovery_code`.' })),
  expires_at: Type.String({ format: 'date-time' }),
});

export const listParameters = [
  { name: 'limit', schema: Type.Integer({ default: 20, minimum: 1 }) },
  { name: 'offset', schema: Type.Integer({ default: 0, minimum: 0 }) },
  { name: 'role', schema: Type.String() },
  {
    name: 'email_contains',
    schema: Type.String({ description: 'Part of the e-mail address, whatever the case.' }),
  },
  {
    name: 'filters',
    schema: Type.Record(Type.String(), Type.String(), {
      description:
        'The filter language on the user’s fields and data.*: data.city=Lagos, createdAt__gt=2026-01-01.',
    }),
  },
];
