import { patchOperators, queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import { givenHash, givenPassword, password } from '../passwords/index.ts';

const userId = '019a8c5e-7f00-8000-8000-5b6c7d8e9f0a';
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
const data = anyObject('Free-form fields of the user.');
const operators = patchOperators.map((name) => `\`${name}\``).join(', ');
const patchedData = anyObject(`Fields to replace, and atomic operators: ${operators}.`);
const role = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A role that users can give themselves.',
});
const givenRole = Type.String({ minLength: 1, maxLength: 64, description: 'Any role.' });
const email = Type.String({ minLength: 3, maxLength: 254, description: 'Not case-sensitive.' });

/** What a form about a user holds besides texts: `data` as JSON text, and files that fill fields of it. */
const dataParts = {
  data: Type.Optional(
    Type.String({
      contentMediaType: 'application/json',
      description: 'Fields of the user, as JSON text.',
      examples: ['{"name": "Ada"}'],
    }),
  ),
  avatar: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description: 'A file: the field of this name in `data` gets its URL. Any name will do.',
      examples: ['@me.jpg'],
    }),
  ),
};
const otherFiles = { additionalProperties: Type.Unsafe({ type: 'string', format: 'binary' }) };

export const signUpBody = Type.Object(
  { email, password, data: Type.Optional(data), role: Type.Optional(role) },
  {
    additionalProperties: false,
    examples: [{ email: 'ada@example.com', password: 'correct horse', data: { name: 'Ada' } }],
  },
);
export const signUpForm = Type.Object(
  {
    email: Type.String({ description: 'As in JSON.', examples: ['ada@example.com'] }),
    password: Type.String({ description: 'As in JSON.', examples: ['correct horse'] }),
    role: Type.Optional(Type.String({ description: 'As in JSON.', examples: [] })),
    ...dataParts,
  },
  otherFiles,
);

const phone = Type.String({ minLength: 1, maxLength: 40, description: 'With country code.' });
const emailVerified = Type.Boolean({ description: 'Whether the address is proven to be the user’s.' });
const suspended = Type.Boolean({ description: 'A suspended user cannot sign in.' });

export const newUserBody = Type.Object(
  {
    email,
    email_verified: Type.Optional(emailVerified),
    phone: Type.Optional(phone),
    role: Type.Optional(givenRole),
    data: Type.Optional(data),
    claims: Type.Optional(anyObject('Facts about the user that only your server can set.')),
    suspended: Type.Optional(suspended),
    password: Type.Optional(password),
    passwordHash: Type.Optional(givenHash),
  },
  {
    additionalProperties: false,
    examples: [
      {
        email: 'ada@example.com',
        email_verified: true,
        data: { name: 'Ada' },
        passwordHash: '$2b$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi',
      },
    ],
  },
);

export const changeSelfBody = Type.Object(
  {
    data: Type.Optional(patchedData),
    role: Type.Optional(role),
    email: Type.Optional(email),
    password: Type.Optional(givenPassword),
  },
  {
    additionalProperties: false,
    examples: [{ data: { name: 'Ada L.', $addUnique: { following_ids: userId } } }],
  },
);
export const changeSelfForm = Type.Object(dataParts, otherFiles);

export const deleteSelfBody = Type.Object(
  { password: Type.Optional(givenPassword) },
  { additionalProperties: false, examples: [{ password: 'correct horse' }] },
);

export const changeUserBody = Type.Object(
  {
    email: Type.Optional(email),
    email_verified: Type.Optional(emailVerified),
    phone: Type.Optional(
      Type.Union([phone, Type.Null()], {
        description: 'With country code; null removes it.',
      }),
    ),
    role: Type.Optional(givenRole),
    data: Type.Optional(patchedData),
    claims: Type.Optional(patchedData),
    suspended: Type.Optional(suspended),
    password: Type.Optional(password),
    authenticator: Type.Optional(
      Type.Literal(false, {
        description: 'Removes the authenticator app and its recovery codes, for a user who has lost both.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ role: 'editor', claims: { plan: 'pro' } }] },
);

export const populateParameter = {
  name: 'populate',
  schema: Type.Array(Type.String(), {
    description: 'Replace ids in `data` with the linked records. Repeat it for several.',
  }),
};

export const listParameters = [
  {
    name: 'limit',
    schema: Type.Integer({
      default: queryLimits.defaultLimit,
      minimum: 1,
      description: `Users per page; more than ${queryLimits.maxLimit} is treated as ${queryLimits.maxLimit}.`,
    }),
  },
  { name: 'offset', schema: Type.Integer({ default: 0, minimum: 0, description: 'Users to skip.' }) },
  { name: 'role', schema: Type.String({ description: 'Users of this role.' }) },
  {
    name: 'email_contains',
    schema: Type.String({ description: 'Part of the email address, not case-sensitive.' }),
  },
  {
    name: 'filters',
    schema: Type.Record(Type.String(), Type.String(), {
      description:
        'The filter language on the user’s fields and `data`: `data.city=Lagos`, `createdAt__gt=2026-01-01`.',
      examples: [{ 'data.city': 'Lagos' }],
    }),
  },
];
