import { Type } from 'typebox';
import { givenPassword, password } from '../../people/index.ts';

export const email = Type.String({
  maxLength: 254,
  description: 'Email address of the account.',
  examples: ['ada@example.com'],
});
export const name = Type.String({
  maxLength: 100,
  description: 'The name that teammates see.',
  examples: ['Ada'],
});
export const token = Type.String({ maxLength: 100, description: 'The token of the emailed link.' });
export const code = Type.String({
  maxLength: 40,
  description: 'Six digits of the authenticator app, or a recovery code.',
});
export const id = Type.String({ format: 'uuid', description: 'The id of the entry.' });

export const strict = { additionalProperties: false } as const;

export const signUpBody = Type.Object(
  {
    email,
    password,
    name: Type.Optional(name),
    invitation: Type.Optional(
      Type.String({ maxLength: 100, description: 'The token of an invitation link.' }),
    ),
  },
  strict,
);

export const signInBody = Type.Union([
  Type.Object({ email, password: givenPassword, code: Type.Optional(code) }, strict),
  Type.Object(
    {
      token: Type.String({
        maxLength: 100,
        description: 'The token of a sign-in link, which can be used once.',
      }),
    },
    strict,
  ),
]);

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const accountAnswer = Type.Object({
  id: Type.String({ description: 'The id of the account.' }),
  email,
  email_verified: Type.Boolean({ description: 'Whether the email address is verified.' }),
  name,
  second_factor: Type.Boolean({ description: 'Whether sign-in requires an authenticator app.' }),
  createdAt: moment('When it was created.'),
});

export const sessionAnswer = Type.Object({
  id: Type.String({ description: 'The id of the session.' }),
  method: Type.String({ description: 'How you signed in.', examples: ['password'] }),
  device: Type.String({ description: 'Browser and operating system.', examples: ['Firefox on Linux'] }),
  address: Type.String({ description: 'The IP address of the sign-in.', examples: ['203.0.113.7'] }),
  signedInAt: moment('When it started.'),
  seenAt: moment('When it was last used, to within five minutes.'),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});

export const tokenAnswer = Type.Object({
  id: Type.String({ description: 'The id of the token.' }),
  name: Type.String({ description: 'What it is for.', examples: ['deploy'] }),
  access: Type.Union([Type.Literal('read'), Type.Literal('write')], {
    description: 'Whether it can only read, or also write.',
  }),
  hint: Type.String({ description: 'Its last characters.', examples: ['x9f2'] }),
  projects: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Refs of the projects it can access; null: all.',
      examples: [null],
    }),
  ),
  expiresAt: moment('When it expires.'),
  createdAt: Type.Optional(moment('When it was created.')),
  usedAt: Type.Optional(
    Type.Union([moment('When it was last used, to within five minutes.'), Type.Null()], { examples: [null] }),
  ),
});

export const newTokenAnswer = Type.Object({
  ...tokenAnswer.properties,
  token: Type.String({
    description: 'The token. It is only shown once.',
    examples: ['plt_…'],
  }),
});

export const newTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.' }),
    access: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('write')], { description: '`read` by default.' }),
    ),
    projects: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9]{12}$', examples: ['abcdefghijkl'] }), {
        maxItems: 100,
        minItems: 1,
        description: 'Refs of the projects it can access; all by default.',
      }),
    ),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: '90 by default.' })),
  },
  strict,
);

export const passwordChangeBody = Type.Object(
  { old_password: givenPassword, new_password: password },
  strict,
);
export const resetBody = Type.Object({ token, password }, strict);
export const nothing = Type.Null({ description: 'Always null.' });
