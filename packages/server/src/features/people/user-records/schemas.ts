import { Type } from 'typebox';

const data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Free-form fields of the user.',
  examples: [{ name: 'Ada' }],
});

const role = Type.String({ description: '`user`, unless somebody said otherwise.', examples: ['user'] });

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
        description: 'What the project’s server says of the user.',
        examples: [{}],
      },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AppUser', description: 'What an app user itself and the API key see of it.' },
);

export const profileSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    role,
    data,
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PublicProfile', description: 'What everyone sees of an app user.' },
);

export const userParams = Type.Object({ id: Type.String({ description: 'Id of the app user.' }) });

export const userReference = Type.Unsafe({ $ref: 'AppUser#' });
export const profileReference = Type.Unsafe({ $ref: 'PublicProfile#' });
