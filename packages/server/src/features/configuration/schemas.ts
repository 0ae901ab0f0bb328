import { type Static, Type } from 'typebox';
import { newIndexBody, settingsBody } from '../data/index.ts';
import { supportedLanguages, templateBody } from '../people/index.ts';

const closed = { additionalProperties: false };
/** No list in a configuration is so long, and no name in it, that looking at it would take long. */
const most = 1000;
const text = Type.String({ maxLength: 1000 });

export const collectionBody = Type.Object(
  {
    ...settingsBody.properties,
    indexes: Type.Optional(
      Type.Array(newIndexBody, {
        maxItems: 20,
        description: 'Those that were asked for; what the service makes by itself is not named.',
        examples: [[{ kind: 'sort', fields: ['status', '-views'] }]],
      }),
    ),
  },
  closed,
);

const either = <Value extends string>(first: Value, second: Value, description: string) =>
  Type.Union([Type.Literal(first), Type.Literal(second)], { description });

const settings = Type.Object(
  {
    responseFormat: either('envelope', 'bare', 'How answers come to calls that do not say.'),
    uploads: either('users', 'server', 'Whether app users may upload files.'),
    language: Type.Union(supportedLanguages.map((language) => Type.Literal(language))),
    allow2faOptOut: Type.Boolean({ description: 'Whether users may choose to log in without mailed codes.' }),
    rooms: Type.Record(text, either('public', 'users', 'Who may join.'), {
      maxProperties: most,
      description: 'Who may join which rooms, by patterns of their names.',
      examples: [{ 'chat-*': 'users' }],
    }),
    logQueries: either('names', 'full', 'Whether the log of calls keeps values of query strings.'),
    refuseBrowserKeys: Type.Boolean({ description: 'Whether API keys that a browser sends are refused.' }),
    testReceivers: Type.Array(text, {
      maxItems: most,
      description: 'Who gets test mails through the deployment’s mail server.',
      examples: [[]],
    }),
  },
  closed,
);

const names = (description: string) => Type.Array(text, { maxItems: most, description, examples: [[]] });

/** What `project.json` has. */
export const projectBody = Type.Object(
  {
    settings: Type.Optional(Type.Partial(settings, closed)),
    configs: Type.Optional(
      Type.Record(text, Type.Union([text, Type.Number(), Type.Boolean()]), {
        maxProperties: most,
        description: 'The built-in configuration keys that are set.',
        examples: [{ OTP_LENGTH: 8 }],
      }),
    ),
    allowedOrigins: Type.Optional(
      Type.Array(text, {
        maxItems: most,
        description: 'Whose pages may call.',
        examples: [['https://app.example.com']],
      }),
    ),
    env: Type.Optional(names('The environment variables by name. Values are never told, and not pushed.')),
    services: Type.Optional(
      names('Mail server, text gateway and identity providers by name. They are not pushed.'),
    ),
  },
  closed,
);

export const configurationBody = Type.Object(
  {
    collections: Type.Optional(
      Type.Record(text, collectionBody, {
        maxProperties: most,
        description: 'By name. What a collection’s settings leave out has its default.',
        examples: [{ posts: { rules: { read: 'public' } } }],
      }),
    ),
    ...projectBody.properties,
    mails: Type.Optional(
      Type.Record(text, templateBody, {
        maxProperties: most,
        description: 'The project’s own mail texts, by template and language: `welcome.en`.',
        examples: [{}],
      }),
    ),
  },
  {
    ...closed,
    description: 'A project’s configuration. A part that is left out is left alone.',
    examples: [{ collections: { posts: { rules: { read: 'public' } } } }],
  },
);

export type GivenBody = Static<typeof configurationBody>;

const version = Type.String({
  description: 'Tells this configuration from others; also the `ETag`.',
  examples: ['Z3u9bqk4cVjQp0GvbIY1xDWk8lQ'],
});

export const configurationAnswer = Type.Object({
  project: Type.Object({
    ref: Type.String({ examples: ['k3v9x2m7q4wz'] }),
    name: Type.String({ examples: ['My first project'] }),
  }),
  version,
  configuration: configurationBody,
});

const change = Type.Object({
  words: Type.String({ examples: ['Create the collection posts.'] }),
  path: Type.String({ description: 'Where in the configuration.', examples: ['collections.posts'] }),
  isDestructive: Type.Boolean({ description: 'It cannot be undone.' }),
  from: Type.Optional(Type.Unknown({ description: 'What is there; of texts and schemas it is not said.' })),
  to: Type.Optional(Type.Unknown()),
  documents: Type.Optional(Type.Integer({ description: 'How many documents go with it.', examples: [0] })),
});

export const planAnswer = Type.Object({
  project: configurationAnswer.properties.project,
  isApplied: Type.Boolean({ description: 'False after a dry run.' }),
  version,
  changes: Type.Array(change, { description: 'What differs, in the order in which it is changed.' }),
});

const flag = (description: string) => Type.Boolean({ default: false, description });

export const configurationFlags = [
  { name: 'dryRun', schema: flag('Only say what would be changed.') },
  { name: 'allowDestructive', schema: flag('Also do what cannot be undone, such as deleting a collection.') },
];
