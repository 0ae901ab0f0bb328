import { Type } from 'typebox';
import { givenPassword, password } from '../../people/index.ts';

export const email = Type.String({
  maxLength: 254,
  description: 'E-mail address of the account.',
  examples: ['ada@example.com'],
});
export const name = Type.String({ maxLength: 100, description: 'How teammates see it.', examples: ['Ada'] });
export const token = Type.String({ maxLength: 100, description: 'What the mailed link carries.' });
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
      Type.String({ maxLength: 100, description: 'What the link of an invitation carries.' }),
    ),
  },
  strict,
);

export const signInBody = Type.Union([
  Type.Object({ email, password: givenPassword, code: Type.Optional(code) }, strict),
  Type.Object(
    { token: Type.String({ maxLength: 100, description: 'Of a sign-in link, which works once.' }) },
    strict,
  ),
]);

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const accountAnswer = Type.Object({
  id: Type.String({ description: 'The account.' }),
  email,
  email_verified: Type.Boolean({ description: 'Whether the address is known to be theirs.' }),
  name,
  second_factor: Type.Boolean({ description: 'Whether an authenticator app is in force.' }),
  createdAt: moment('When it was made.'),
});

export const sessionAnswer = Type.Object({
  id: Type.String({ description: 'The session.' }),
  method: Type.String({ description: 'How it was signed in.', examples: ['password'] }),
  device: Type.String({ description: 'Browser and system.', examples: ['Firefox on Linux'] }),
  address: Type.String({ description: 'Where it was signed in from.', examples: ['203.0.113.7'] }),
  signedInAt: moment('When it began.'),
  seenAt: moment('When it was last used, to within five minutes.'),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
});

export const tokenAnswer = Type.Object({
  id: Type.String({ description: 'The token.' }),
  name: Type.String({ description: 'What it is for.', examples: ['deploy'] }),
  access: Type.Union([Type.Literal('read'), Type.Literal('write')], {
    description: 'Whether it may change anything.',
  }),
  hint: Type.String({ description: 'Its last characters.', examples: ['x9f2'] }),
  projects: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Refs of the projects it is for; null: all.',
      examples: [null],
    }),
  ),
  expiresAt: moment('When it expires.'),
  createdAt: Type.Optional(moment('When it was made.')),
  usedAt: Type.Optional(
    Type.Union([moment('When it was last used, to within five minutes.'), Type.Null()], { examples: [null] }),
  ),
});

export const newTokenAnswer = Type.Object({
  ...tokenAnswer.properties,
  token: Type.String({
    description: 'The token. It is shown here and never again.',
    examples: ['plt_…'],
  }),
});

export const newTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.' }),
    access: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('write')], { description: '`read` unless you say so.' }),
    ),
    projects: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9]{12}$', examples: ['abcdefghijkl'] }), {
        maxItems: 100,
        minItems: 1,
        description: 'Refs of the projects it is for; all, unless you name some.',
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: '90 unless you say otherwise.' }),
    ),
  },
  strict,
);

export const passwordChangeBody = Type.Object(
  { old_password: givenPassword, new_password: password },
  strict,
);
export const resetBody = Type.Object({ token, password }, strict);
export const nothing = Type.Null({ description: 'Nothing more to say.' });
