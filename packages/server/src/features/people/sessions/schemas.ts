import { Type } from 'typebox';
import { userReference } from '../user-records/index.ts';

/** The answer that holds a token. */
export const signedInSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_at: Type.String({ format: 'date-time' }),
  user: userReference,
});

/** What login answers when the password is right and a second step is needed. */
export const secondStepSchema = Type.Object({
  requires_2fa: Type.Literal(true),
  challenge: Type.String({ description: 'Sent along with the code to `2fa/verify`.' }),
  methods: Type.Array(Type.String({ description: '`email`, `totp` or `recovery_code`.' })),
  expires_at: Type.String({ format: 'date-time' }),
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
