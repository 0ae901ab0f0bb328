import { Type } from 'typebox';

const data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Free-form fields of the user.',
  examples: [{ name: 'Ada' }],
});

const role = Type.String({ description: '`user` by default.', examples: ['user'] });

export const userSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String({ examples: ['ada@example.com'] }),
    role,
    email_verified: Type.Boolean({ description: 'Whether the address is proven to be the user’s.' }),
    phone: Type.Optional(Type.String({ description: 'With country code.', examples: [] })),
    data,
    claims: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Facts about the user that only your server can set.',
        examples: [{}],
      },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AppUser', description: 'An app user, as the user and the API key see it.' },
);

export const profileSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    role,
    data,
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PublicProfile', description: 'The public profile of an app user.' },
);

export const userParams = Type.Object({ id: Type.String({ description: 'Id of the app user.' }) });

export const userReference = Type.Unsafe({ $ref: 'AppUser#' });
export const profileReference = Type.Unsafe({ $ref: 'PublicProfile#' });
