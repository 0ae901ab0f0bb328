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
  description: 'The name of the project.',
  examples: ['Shop'],
});

export const settingsBody = Type.Object(
  {
    responseFormat: Type.Optional(
      Type.Union([Type.Literal('envelope'), Type.Literal('bare')], {
        description: 'The default response format.',
      }),
    ),
    uploads: Type.Optional(
      Type.Union([Type.Literal('users'), Type.Literal('server')], {
        description: 'Who can upload files: app users too, or only the server.',
      }),
    ),
    language: Type.Optional(
      Type.Union(
        supportedLanguages.map((language) => Type.Literal(language)),
        {
          description:
            'The default language of emails and pages, for people whose language is not supported.',
        },
      ),
    ),
    rooms: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Literal('public'), Type.Literal('users')]), {
        description: 'Who can join which rooms, `public` or `users`, by name patterns.',
        examples: [{ 'chat-*': 'users' }],
      }),
    ),
    logQueries: Type.Optional(
      Type.Union([Type.Literal('names'), Type.Literal('full')], {
        description: 'Whether the request log keeps the values of query strings.',
      }),
    ),
    refuseBrowserKeys: Type.Optional(
      Type.Boolean({ description: 'Whether API keys sent by browsers are rejected.' }),
    ),
    allow2faOptOut: Type.Optional(
      Type.Boolean({ description: 'Whether users can choose to sign in without emailed codes.' }),
    ),
    testReceivers: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 100,
        description: 'Who can receive test emails through the deployment’s mail server.',
        examples: [[]],
      }),
    ),
  },
  { additionalProperties: false },
);

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const projectAnswer = Type.Object({
  ref: Type.String({ description: 'Identifies the project in its URL.', examples: ['abcdefghijkl'] }),
  name: projectName,
  role: Type.Union([Type.Literal('owner'), Type.Literal('teammate')], {
    description: 'Your role in the project.',
  }),
  url: Type.Optional(
    Type.String({
      description: 'The URL of the project.',
      examples: ['https://api.example.com/p/abcdefghijkl'],
    }),
  ),
  tier: Type.Optional(Type.String({ description: 'The tier, which sets its limits.', examples: ['free'] })),
  allowedOrigins: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The allowed origins.',
      examples: [['https://app.example.com']],
    }),
  ),
  settings: Type.Optional(settingsBody),
  createdAt: Type.Optional(moment('When it was created.')),
  expiresAt: Type.Optional(moment('Of a temporary project: when it is deleted, unless someone claims it.')),
  deletedAt: Type.Optional(
    moment('Of a deleted project: when it was deleted. Seven days later, it is permanently deleted.'),
  ),
});

export const madeProject = Type.Object({
  ...projectAnswer.properties,
  apiKey: Type.String({ description: 'Only shown once.', examples: ['plk_…'] }),
  claimUrl: Type.Optional(
    Type.String({
      description: 'Of a temporary project: anyone who opens it can keep the project.',
      examples: ['https://api.example.com/account/claim?token=…'],
    }),
  ),
});

export const configAnswer = Type.Array(
  Type.Object({
    key: Type.String({ description: 'The key.', examples: ['OTP_LENGTH'] }),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'The current value.',
      examples: [6],
    }),
    default: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'The value if it is not set.',
      examples: [6],
    }),
    isSet: Type.Boolean({ description: 'Whether it was set.' }),
    form: Type.String({ description: 'The allowed values.', examples: ['an integer, 4 to 10'] }),
    meaning: Type.String({
      description: 'What it does.',
      examples: ['Number of digits of the codes that are sent.'],
    }),
    warning: Type.Union([Type.String(), Type.Null()], {
      description: 'A warning about the current value, if there is one.',
      examples: [null],
    }),
  }),
);
