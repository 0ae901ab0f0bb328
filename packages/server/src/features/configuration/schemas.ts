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
        description: 'Requested indexes; those that the service creates automatically are not included.',
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
    responseFormat: either('envelope', 'bare', 'The default response format.'),
    uploads: either('users', 'server', 'Who can upload files: app users too, or only the server.'),
    language: Type.Union(supportedLanguages.map((language) => Type.Literal(language))),
    allow2faOptOut: Type.Boolean({
      description: 'Whether users can choose to sign in without emailed codes.',
    }),
    rooms: Type.Record(text, either('public', 'users', 'Who can join.'), {
      maxProperties: most,
      description: 'Who can join which rooms, by name patterns.',
      examples: [{ 'chat-*': 'users' }],
    }),
    logQueries: either('names', 'full', 'Whether the request log keeps the values of query strings.'),
    refuseBrowserKeys: Type.Boolean({ description: 'Whether API keys sent by browsers are rejected.' }),
    testReceivers: Type.Array(text, {
      maxItems: most,
      description: 'Who can receive test emails through the deployment’s mail server.',
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
        description: 'The origins whose pages can use the project.',
        examples: [['https://app.example.com']],
      }),
    ),
    env: Type.Optional(
      names('The names of the environment variables. Values are never shown, and are not pushed.'),
    ),
    services: Type.Optional(
      names(
        'The names of the mail server, text message gateway and identity providers. They are not pushed.',
      ),
    ),
  },
  closed,
);

export const configurationBody = Type.Object(
  {
    collections: Type.Optional(
      Type.Record(text, collectionBody, {
        maxProperties: most,
        description: 'Collections by name. Settings that are omitted have their default.',
        examples: [{ posts: { rules: { read: 'public' } } }],
      }),
    ),
    ...projectBody.properties,
    mails: Type.Optional(
      Type.Record(text, templateBody, {
        maxProperties: most,
        description: 'The project’s own mail templates, by template and language: `welcome.en`.',
        examples: [{}],
      }),
    ),
  },
  {
    ...closed,
    description: 'A project’s configuration. A part that is omitted stays unchanged.',
    examples: [{ collections: { posts: { rules: { read: 'public' } } } }],
  },
);

export type GivenBody = Static<typeof configurationBody>;

const version = Type.String({
  description: 'The version of this configuration; also the `ETag`.',
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
  path: Type.String({ description: 'The location in the configuration.', examples: ['collections.posts'] }),
  isDestructive: Type.Boolean({ description: 'Whether it cannot be undone.' }),
  from: Type.Optional(Type.Unknown({ description: 'The current value; omitted for texts and schemas.' })),
  to: Type.Optional(Type.Unknown()),
  documents: Type.Optional(
    Type.Integer({ description: 'The number of documents that are deleted with it.', examples: [0] }),
  ),
});

export const planAnswer = Type.Object({
  project: configurationAnswer.properties.project,
  isApplied: Type.Boolean({ description: 'False after a dry run.' }),
  version,
  changes: Type.Array(change, { description: 'The differences, in the order in which they are applied.' }),
});

const flag = (description: string) => Type.Boolean({ default: false, description });

export const configurationFlags = [
  { name: 'dryRun', schema: flag('Only report what would be changed.') },
  {
    name: 'allowDestructive',
    schema: flag('Also apply changes that cannot be undone, such as deleting a collection.'),
  },
];
