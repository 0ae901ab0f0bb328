import { Type } from 'typebox';
import { supportedLanguages } from '../../people/index.ts';

export const ref = Type.String({
  pattern: '^[a-z0-9]{12}$',
  description: 'The ref of the project.',
  examples: ['abcdefghijkl'],
});
export const refParams = Type.Object({ ref });
export const projectName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What people call it.',
  examples: ['Shop'],
});

export const settingsBody = Type.Object(
  {
    responseFormat: Type.Optional(
      Type.Union([Type.Literal('envelope'), Type.Literal('bare')], {
        description: 'How answers come when a call does not say.',
      }),
    ),
    uploads: Type.Optional(
      Type.Union([Type.Literal('users'), Type.Literal('server')], {
        description: 'Who may upload files: app users too, or the server alone.',
      }),
    ),
    language: Type.Optional(
      Type.Union(
        supportedLanguages.map((language) => Type.Literal(language)),
        { description: 'Of mails and pages, for people who ask for none that there is.' },
      ),
    ),
    rooms: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Literal('public'), Type.Literal('users')]), {
        description: 'Who may join which rooms, `public` or `users`, by patterns of their names.',
        examples: [{ 'chat-*': 'users' }],
      }),
    ),
    logQueries: Type.Optional(
      Type.Union([Type.Literal('names'), Type.Literal('full')], {
        description: 'Whether the log of calls keeps values of query strings.',
      }),
    ),
    refuseBrowserKeys: Type.Optional(
      Type.Boolean({ description: 'Whether API keys that a browser sends are refused.' }),
    ),
    allow2faOptOut: Type.Optional(
      Type.Boolean({ description: 'Whether users may choose to sign in without mailed codes.' }),
    ),
    testReceivers: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 100,
        description: 'Who gets test mails through the deployment’s mail server.',
        examples: [[]],
      }),
    ),
  },
  { additionalProperties: false },
);

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const projectAnswer = Type.Object({
  ref: Type.String({ description: 'What its address is made of.', examples: ['abcdefghijkl'] }),
  name: projectName,
  role: Type.Union([Type.Literal('owner'), Type.Literal('teammate')], { description: 'What you may there.' }),
  url: Type.Optional(
    Type.String({ description: 'Its address.', examples: ['https://api.example.com/p/abcdefghijkl'] }),
  ),
  tier: Type.Optional(Type.String({ description: 'What it may use.', examples: ['free'] })),
  allowedOrigins: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Whose pages may call it.',
      examples: [['https://app.example.com']],
    }),
  ),
  settings: Type.Optional(settingsBody),
  createdAt: Type.Optional(moment('When it was made.')),
  expiresAt: Type.Optional(moment('Of a temporary project: when it is deleted, unless somebody claims it.')),
  deletedAt: Type.Optional(moment('Of a deleted project: seven days later it is gone for good.')),
});

export const madeProject = Type.Object({
  ...projectAnswer.properties,
  apiKey: Type.String({ description: 'It is shown here and never again.', examples: ['plk_…'] }),
  claimUrl: Type.Optional(
    Type.String({
      description: 'Of a temporary project: whoever opens it can keep the project.',
      examples: ['https://api.example.com/account/claim?token=…'],
    }),
  ),
});

export const configAnswer = Type.Array(
  Type.Object({
    key: Type.String({ description: 'The key.', examples: ['OTP_LENGTH'] }),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'What counts now.',
      examples: [6],
    }),
    default: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'What counts if it is not set.',
      examples: [6],
    }),
    isSet: Type.Boolean({ description: 'Whether it was set.' }),
    form: Type.String({ description: 'What it may be.', examples: ['a whole number, 4 to 10'] }),
    meaning: Type.String({ description: 'What it does.', examples: ['Digits of the codes that are sent.'] }),
    warning: Type.Union([Type.String(), Type.Null()], {
      description: 'What the present value leads to that you may not want.',
      examples: [null],
    }),
  }),
);
