import { Type } from 'typebox';

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const deploymentBody = Type.Object(
  {
    files: texts(
      'The modules to run, by name, such as `orders.js`: bundled, without packages to install. The sandbox strips the types from modules that end with `.ts`. All modules can import `@plinth/runtime`.',
    ),
    maps: Type.Optional(
      texts(
        'Source maps, by the name of the file plus `.map`: errors then show the lines of your source code.',
      ),
    ),
    entries: Type.Array(Type.String(), {
      description: 'The files that are functions; the others are imported by them.',
      examples: [['orders.js']],
    }),
    note: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'A note about what changed, shown in the list of deployments.',
      }),
    ),
  },
  { additionalProperties: false },
);

const name = Type.String({
  description: 'The name of the function, which is that of its file.',
  examples: ['orders'],
});

const functionSchema = Type.Object({
  name,
  file: Type.String({ description: 'The file that contains it.', examples: ['orders.js'] }),
  kind: Type.Union(
    ['http', 'hook', 'schedule', 'task'].map((kind) => Type.Literal(kind)),
    {
      description: 'What triggers it: a request, an event, a schedule, or other code.',
    },
  ),
  access: Type.Optional(
    Type.Union(
      ['server', 'users', 'public'].map((access) => Type.Literal(access)),
      {
        description: 'Who can call it: only the API key, also signed-in users, or anyone.',
      },
    ),
  ),
  event: Type.Optional(Type.String({ description: 'The event of a hook.', examples: ['post_create'] })),
  collection: Type.Optional(Type.String({ description: 'The collection of a hook.', examples: ['orders'] })),
  cron: Type.Optional(
    Type.String({ description: 'When a schedule runs, as a cron expression.', examples: ['0 9 * * 1-5'] }),
  ),
  options: Type.Object({}, { additionalProperties: true, description: 'Other options that its code sets.' }),
  loadMs: Type.Number({ description: 'How long loading took, in milliseconds.' }),
});

export const deploymentSchema = Type.Object({
  version: Type.Integer({ description: 'Its number, one higher for each deployment.' }),
  functions: Type.Array(functionSchema, { description: 'The functions in it.' }),
  bytes: Type.Integer({ description: 'The total size of its files.' }),
  note: Type.Union([Type.String(), Type.Null()], {
    description: 'The note that was sent with the deployment.',
  }),
  madeBy: Type.String({ description: 'Who deployed it.', examples: ['ada@example.com'] }),
  madeAt: Type.String({ format: 'date-time', description: 'When it was deployed.' }),
  isActive: Type.Boolean({ description: 'Whether it is the active deployment.' }),
});

const names = (description: string) => Type.Array(Type.String(), { description });

export const deployedSchema = Type.Object({
  version: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Its number; null after a dry run.',
    examples: [3],
  }),
  functions: Type.Array(functionSchema, { description: 'The functions in it.' }),
  added: names('The new functions.'),
  changed: names('Functions whose trigger, access or options have changed.'),
  removed: names('Functions that no longer exist.'),
  isSame: Type.Boolean({ description: 'Whether this code was already active.', examples: [false] }),
});

export const deployedFilesSchema = Type.Object({
  version: Type.Integer({ description: 'The number of the deployment that these files belong to.' }),
  files: texts('The modules, by name, as they were deployed.'),
  maps: texts('Source maps of bundled files, by the name of the file plus `.map`.'),
  entries: Type.Array(Type.String(), {
    description: 'The files that are functions; the others are imported by them.',
    examples: [['orders.js']],
  }),
  note: Type.Optional(Type.String({ description: 'The note that was sent with the deployment.' })),
});

export const versionParams = Type.Object({
  version: Type.String({
    description: 'The number of the deployment.',
    examples: ['3'],
  }),
});

export const runParams = Type.Object({
  id: Type.String({ description: 'The id of the run, as in the `X-Function-Run` header of a response.' }),
});

export const runSchema = Type.Object({
  id: Type.String({ description: 'The id of the run.' }),
  at: Type.String({ format: 'date-time', description: 'When it started.' }),
  function: name,
  version: Type.Integer({ description: 'The deployment it ran in.' }),
  kind: Type.String({ description: 'What triggered it: http, hook, schedule or task.', examples: ['http'] }),
  outcome: Type.String({
    description:
      'How it ended: ok, refused, failed, timed_out, crashed, out_of_memory, busy, unreachable or off.',
    examples: ['ok'],
  }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The status of its response, if it was called by a request.',
    examples: [200],
  }),
  ms: Type.Number({ description: 'How long it took, in milliseconds.' }),
  start: Type.Union([Type.String(), Type.Null()], {
    description: 'Whether its process was already running (warm), was blank, or had to be started (cold).',
    examples: ['warm'],
  }),
  error: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'The class of the error.' }),
        message: Type.String({ description: 'The message of the error.' }),
        stack: Type.String({
          description: 'Where it was thrown, with the line numbers of your source code.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The error it threw, if any.', examples: [null] },
  ),
  logs: Type.Array(
    Type.Object({
      at: Type.Integer({ description: 'When it was printed, in milliseconds since 1970.' }),
      level: Type.String({ description: 'debug, info, warn or error.', examples: ['info'] }),
      text: Type.String({ description: 'What was printed.' }),
    }),
    { description: 'What it printed, up to 64 kB.' },
  ),
  cause: Type.Union([Type.String(), Type.Null()], {
    description: 'The request, event or scheduled run that caused it.',
    examples: ['req-1'],
  }),
});
