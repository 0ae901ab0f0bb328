import { Type } from 'typebox';

const data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Free-form fields of the user.',
});

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
