import { Type } from 'typebox';

/** A new password. */
export const password = Type.String({
  minLength: 8,
  maxLength: 256,
  description: 'At least 8 characters of any kind.',
  examples: ['correct horse battery staple'],
});
/** A password to compare: its form tells nothing, so only its size is bounded. */
export const givenPassword = Type.String({ maxLength: 256, description: 'The current password.' });

const base64 = Type.Optional(Type.String({ maxLength: 128, description: 'Base64.' }));
const figure = (description: string) => Type.Optional(Type.Number({ description }));

/** A hash that another service has made. What exactly is taken is checked by whoever reads it. */
export const givenHash = Type.Union(
  [
    Type.String({ maxLength: 512 }),
    Type.Object(
      {
        algorithm: Type.Optional(Type.String({ maxLength: 40, description: '`firebase-scrypt`.' })),
        hash: base64,
        salt: base64,
        signerKey: base64,
        saltSeparator: base64,
        rounds: figure('1 to 8.'),
        memCost: figure('1 to 14.'),
      },
      { additionalProperties: false },
    ),
  ],
  {
    description:
      'Instead of `password`: a hash created by another service. Argon2id or bcrypt as a string; for Firebase, also the parameters of its project. It is replaced by Plinth’s own hash at the first sign-in.',
  },
);

export const signInBody = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Not case-sensitive.' }),
    password: givenPassword,
  },
  {
    additionalProperties: false,
    examples: [{ email: 'ada@example.com', password: 'correct horse' }],
  },
);

export const changePasswordBody = Type.Object(
  { old_password: givenPassword, new_password: password },
  {
    additionalProperties: false,
    examples: [{ old_password: 'correct horse', new_password: 'battery staple' }],
  },
);
