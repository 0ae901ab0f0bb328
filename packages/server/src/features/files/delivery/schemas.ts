import { Type } from 'typebox';

export const signedUrlBody = Type.Object(
  {
    expiresIn: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 604_800, default: 3600, description: 'Seconds.' }),
    ),
  },
  { additionalProperties: false },
);

export const signedUrlSchema = Type.Object({
  url: Type.String({ format: 'uri' }),
  expiresAt: Type.String({ format: 'date-time' }),
});
