import { Type } from 'typebox';

export const providerParams = Type.Object({
  provider: Type.String({
    description: '`google`, `apple`, `github`, or the name of an OpenID Connect provider of the project.',
    examples: ['google'],
  }),
});

const redirectUri = Type.String({
  maxLength: 2000,
  description: 'Where the provider sends the user back to, on one of the project’s allowed origins.',
  examples: ['https://app.example.com/signed-in'],
});

export const startParameters = [
  { name: 'redirect_uri', schema: redirectUri, isRequired: true },
  {
    name: 'pkce',
    schema: Type.Boolean({
      default: false,
      description:
        'Bind the sign-in to `state`, with PKCE and a nonce: `state` is then required to complete it.',
    }),
  },
];

export const startAnswer = Type.Object({
  url: Type.String({
    description: 'Redirect the user here.',
    examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=…'],
  }),
  state: Type.String({
    description: 'Returned with the code; valid once, for 10 minutes.',
    examples: ['mF2bW0uT5nC8'],
  }),
});

export const verifyBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The code that the provider sent to `redirect_uri`.',
      examples: ['4/0AeanS0a…'],
    }),
    redirect_uri: redirectUri,
    state: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The state returned with the code; required if the sign-in was started with `pkce`.',
        examples: ['mF2bW0uT5nC8'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const identitySchema = Type.Object({
  provider: Type.String({ examples: ['google'] }),
  email: Type.String({
    description: 'The email address from the provider at the time of connecting.',
    examples: ['ada@example.com'],
  }),
  createdAt: Type.String({ format: 'date-time' }),
});

export const removedSchema = Type.Object({
  provider: Type.String({ examples: ['google'] }),
  deleted: Type.Literal(true),
});
