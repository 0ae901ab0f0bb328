import { Type } from 'typebox';
import { userReference } from '../user-records/index.ts';

const accessToken = Type.String({
  description: 'Send it as `Authorization: Bearer …`.',
  examples: ['eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiIwMTlh….c2lnbmF0dXJl'],
});
const refreshToken = Type.String({
  maxLength: 200,
  description:
    'Gets new tokens once, without any other credential: `POST /auth-collections/refresh`. Using it twice ends the session.',
  examples: ['plr_q3Zp…'],
});
const tokens = {
  access_token: accessToken,
  token_type: Type.Literal('bearer'),
  expires_at: Type.String({ format: 'date-time', description: 'When `access_token` expires.' }),
};

/** The answer that holds the tokens of a session. */
const signedInSchema = Type.Object({ ...tokens, refresh_token: refreshToken, user: userReference });

/** How a route answers with tokens. */
export const signedInAnswer = <Status extends 200 | 201>(status: Status) => ({
  status,
  data: signedInSchema,
  beside: { access_token: accessToken, refresh_token: refreshToken, user: userReference },
});

/** The same; whoever sent a valid token has the refresh token already. */
export const refreshedAnswer = {
  status: 200 as const,
  data: Type.Object({ ...tokens, refresh_token: Type.Optional(refreshToken), user: userReference }),
  beside: {
    access_token: accessToken,
    refresh_token: Type.Optional(refreshToken),
    user: userReference,
  },
};

export const refreshBody = Type.Object(
  { refresh_token: Type.Optional(refreshToken) },
  { additionalProperties: false, examples: [{ refresh_token: 'plr_q3Zp…' }] },
);

/** What login answers when the password is right and a second step is needed. */
const secondStepSchema = Type.Object({
  requires_2fa: Type.Literal(true),
  challenge: Type.String({ description: 'Send it with the code to `2fa/verify`.' }),
  methods: Type.Array(Type.String({ description: '`email`, `totp` or `recovery_code`.' }), {
    description: 'How the user can prove it.',
  }),
  expires_at: Type.String({ format: 'date-time' }),
});

/** How a sign-in answers that may ask for a second step. */
export const signInAnswer = {
  status: 200,
  data: Type.Union([signedInSchema, secondStepSchema]),
  beside: {
    access_token: Type.Optional(accessToken),
    refresh_token: Type.Optional(refreshToken),
    user: Type.Optional(userReference),
    requires_2fa: Type.Optional(
      Type.Literal(true, { description: 'A second step is needed; there is no token yet.', examples: [] }),
    ),
    challenge: Type.Optional(Type.String({ description: 'The challenge of the second step.', examples: [] })),
  },
} as const;

const session = {
  id: Type.String({ format: 'uuid' }),
  method: Type.String({
    description: 'How the user signed in: `password`, `phone`, `passkey`, the name of a provider …',
    examples: ['password'],
  }),
  device: Type.Union([Type.String(), Type.Null()], {
    description: 'Browser and operating system, if known: `Firefox, Windows`.',
    examples: ['Firefox, Windows'],
  }),
  address: Type.String({ description: 'The IP address it started from.', examples: ['203.0.113.7'] }),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.String({
    format: 'date-time',
    description: 'When it last got new tokens; requests in between are not recorded.',
  }),
  expiresAt: Type.String({ format: 'date-time' }),
};

export const sessionSchema = Type.Object(session);
export const ownSessionSchema = Type.Object({
  ...session,
  current: Type.Boolean({ description: 'The session of the token that was sent.', examples: [true] }),
});
