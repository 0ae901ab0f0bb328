import { Type } from 'typebox';

export const signedUrlBody = Type.Object(
  {
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        default: 3600,
        description: 'For how many seconds it is valid.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ expiresIn: 600 }] },
);

export const signedUrlSchema = Type.Object({
  url: Type.String({
    format: 'uri',
    description: 'Needs no credential until it expires.',
    examples: [
      'https://api.example.com/files/abcdefghijkl/5f0c6b1e9d3a4c2b8e7f6a5d4c3b2a19.jpg?expires=1795000000&signature=q7XfJm2bW0uT5nC8',
    ],
  }),
  expiresAt: Type.String({ format: 'date-time' }),
});
