import { Type } from 'typebox';
import { userReference } from '../user-records/index.ts';

const tokens = {
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_at: Type.String({ format: 'date-time', description: 'When `access_token` expires.' }),
};
const refreshToken = Type.String({
  maxLength: 200,
  description:
    'Gets new tokens once, without any other credential: `POST /auth-collections/refresh`. Using it twice ends the sign-in.',
});

/** The answer that holds the tokens of a session. */
export const signedInSchema = Type.Object({ ...tokens, refresh_token: refreshToken, user: userReference });

/** The same; whoever sent a valid token has the refresh token already. */
export const refreshedSchema = Type.Object({
  ...tokens,
  refresh_token: Type.Optional(refreshToken),
  user: userReference,
});

export const refreshBody = Type.Object(
  { refresh_token: Type.Optional(refreshToken) },
  { additionalProperties: false },
);

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
