import { Type } from 'typebox';

const password = Type.String({ minLength: 8, maxLength: 256 });
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
    phone: Type.Optional(Type.Union([Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' }), Type.Null()])),
    role: Type.Optional(role),
    data: Type.Optional(patchedData),
    claims: Type.Optional(patchedData),
    suspended: Type.Optional(Type.Boolean()),
    password: Type.Optional(password),
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
