import { patchOperators, queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import { givenHash, givenPassword, password } from '../passwords/index.ts';

const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
const data = anyObject('Free-form fields of the user.');
const patchedData = anyObject(`Fields to replace, and atomic operators: ${patchOperators.join(', ')}.`);
const role = Type.String({ minLength: 1, maxLength: 64 });
const email = Type.String({ minLength: 3, maxLength: 254 });

export const userParams = Type.Object({ id: Type.String({ description: 'Id of the app user.' }) });

export const signUpBody = Type.Object(
  { email, password, data: Type.Optional(data), role: Type.Optional(role) },
  { additionalProperties: false },
);

const phone = Type.String({ minLength: 1, maxLength: 40 });

export const newUserBody = Type.Object(
  {
    email,
    email_verified: Type.Optional(Type.Boolean()),
    phone: Type.Optional(phone),
    role: Type.Optional(role),
    data: Type.Optional(data),
    claims: Type.Optional(anyObject('What the project’s server says of the user.')),
    suspended: Type.Optional(Type.Boolean()),
    password: Type.Optional(password),
    passwordHash: Type.Optional(givenHash),
  },
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

export const deleteSelfBody = Type.Object(
  { password: Type.Optional(givenPassword) },
  { additionalProperties: false },
);

export const changeUserBody = Type.Object(
  {
    email: Type.Optional(email),
    email_verified: Type.Optional(Type.Boolean()),
    phone: Type.Optional(Type.Union([phone, Type.Null()])),
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

export const listParameters = [
  { name: 'limit', schema: Type.Integer({ default: queryLimits.defaultLimit, minimum: 1 }) },
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
