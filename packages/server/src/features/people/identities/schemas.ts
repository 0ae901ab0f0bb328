import { Type } from 'typebox';

export const providerParams = Type.Object({
  provider: Type.String({ description: 'google, apple, github, or the name of an OpenID Connect provider.' }),
});

const redirectUri = Type.String({
  maxLength: 2000,
  description: 'Where the provider sends the user back to, on one of the project’s allowed origins.',
});

export const startParameters = [
  { name: 'redirect_uri', schema: redirectUri },
  {
    name: 'pkce',
    schema: Type.Boolean({
      default: false,
      description: 'Bind the login to `state`, with PKCE and a nonce: `state` is then needed to end it.',
    }),
  },
];

export const startAnswer = Type.Object({
  url: Type.String({ description: 'Send the user here.' }),
  state: Type.String({ description: 'Comes back with the code; good for 10 minutes and once.' }),
});

export const verifyBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'What the provider gave to redirect_uri.',
    }),
    redirect_uri: redirectUri,
    state: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);

export const identitySchema = Type.Object({
  provider: Type.String(),
  email: Type.String({ description: 'The address the provider gave when the two were connected.' }),
  createdAt: Type.String({ format: 'date-time' }),
});
