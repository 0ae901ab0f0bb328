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
      description: 'Bind the login to `state`, with PKCE and a nonce: `state` is then needed to end it.',
    }),
  },
];

export const startAnswer = Type.Object({
  url: Type.String({
    description: 'Send the user here.',
    examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=…'],
  }),
  state: Type.String({
    description: 'Comes back with the code; good for 10 minutes and once.',
    examples: ['mF2bW0uT5nC8'],
  }),
});

export const verifyBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'What the provider gave to `redirect_uri`.',
      examples: ['4/0AeanS0a…'],
    }),
    redirect_uri: redirectUri,
    state: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'What came back with the code; needed if the login was begun with `pkce`.',
        examples: ['mF2bW0uT5nC8'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const identitySchema = Type.Object({
  provider: Type.String({ examples: ['google'] }),
  email: Type.String({
    description: 'The address the provider gave when the two were connected.',
    examples: ['ada@example.com'],
  }),
  createdAt: Type.String({ format: 'date-time' }),
});

export const removedSchema = Type.Object({
  provider: Type.String({ examples: ['google'] }),
  deleted: Type.Literal(true),
});
