import { Type } from 'typebox';

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const deploymentBody = Type.Object(
  {
    files: texts(
      'The modules that run, by their names, such as `orders.js`: bundled, without packages to install. In one that ends with `.ts` the sandbox takes the types out, and all may import `@plinth/runtime`.',
    ),
    maps: Type.Optional(
      texts('Source maps, by the name of the file and `.map`: errors then name the lines you wrote.'),
    ),
    entries: Type.Array(Type.String(), {
      description: 'Which of the files are functions; the others are what they import.',
      examples: [['orders.js']],
    }),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: 'What is new in it, for whoever looks at it later.' }),
    ),
  },
  { additionalProperties: false },
);

const name = Type.String({
  description: 'The name of the function: that of its file.',
  examples: ['orders'],
});

const functionSchema = Type.Object({
  name,
  file: Type.String({ description: 'The file that it is in.', examples: ['orders.js'] }),
  kind: Type.Union(
    ['http', 'hook', 'schedule', 'task'].map((kind) => Type.Literal(kind)),
    {
      description: 'What makes it run: a request, an event, a time, or other code.',
    },
  ),
  access: Type.Optional(
    Type.Union(
      ['server', 'users', 'public'].map((access) => Type.Literal(access)),
      {
        description: 'Who may call it: the API key only, signed-in users too, or anybody.',
      },
    ),
  ),
  event: Type.Optional(Type.String({ description: 'The event of a hook.', examples: ['post_create'] })),
  collection: Type.Optional(Type.String({ description: 'The collection of a hook.', examples: ['orders'] })),
  cron: Type.Optional(Type.String({ description: 'When a schedule runs.', examples: ['0 9 * * 1-5'] })),
  options: Type.Object({}, { additionalProperties: true, description: 'What else its code says of it.' }),
  loadMs: Type.Number({ description: 'What it took to load it, in milliseconds.' }),
});

export const deploymentSchema = Type.Object({
  version: Type.Integer({ description: 'Its number; each deployment has the next.' }),
  functions: Type.Array(functionSchema, { description: 'What was found in it.' }),
  bytes: Type.Integer({ description: 'How large its files are together.' }),
  note: Type.Union([Type.String(), Type.Null()], { description: 'What whoever deployed it said about it.' }),
  madeBy: Type.String({ description: 'Who deployed it.', examples: ['ada@example.com'] }),
  madeAt: Type.String({ format: 'date-time', description: 'When it was deployed.' }),
  isActive: Type.Boolean({ description: 'Whether it is the one that runs.' }),
});

const names = (description: string) => Type.Array(Type.String(), { description });

export const deployedSchema = Type.Object({
  version: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Its number; null for one that was only tried.',
    examples: [3],
  }),
  functions: Type.Array(functionSchema, { description: 'What was found in it.' }),
  added: names('Functions that were not there before.'),
  changed: names('Functions that run at other events or times than before, or for others.'),
  removed: names('Functions that were there before, and are no longer.'),
  isSame: Type.Boolean({ description: 'Whether the same code ran already.', examples: [false] }),
});

export const deployedFilesSchema = Type.Object({
  version: Type.Integer({ description: 'The number of the deployment that these are the files of.' }),
  files: texts('The modules that run, by their names, as they were deployed.'),
  maps: texts('Source maps, by the name of the file and `.map`, of files that were bundled.'),
  entries: Type.Array(Type.String(), {
    description: 'Which of the files are functions; the others are what they import.',
    examples: [['orders.js']],
  }),
  note: Type.Optional(Type.String({ description: 'What whoever deployed it said about it.' })),
});

export const versionParams = Type.Object({
  version: Type.String({
    description: 'The number of the deployment.',
    examples: ['3'],
  }),
});

export const runParams = Type.Object({
  id: Type.String({ description: 'The run, as a response names it in `X-Function-Run`.' }),
});

export const runSchema = Type.Object({
  id: Type.String({ description: 'The run.' }),
  at: Type.String({ format: 'date-time', description: 'When it began.' }),
  function: name,
  version: Type.Integer({ description: 'The deployment that it ran in.' }),
  kind: Type.String({ description: 'What made it run: http, hook, schedule or task.', examples: ['http'] }),
  outcome: Type.String({
    description:
      'How it ended: ok, refused, failed, timed_out, crashed, out_of_memory, busy, unreachable or off.',
    examples: ['ok'],
  }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What it answered, if it answered a request.',
    examples: [200],
  }),
  ms: Type.Number({ description: 'How long it took, in milliseconds.' }),
  start: Type.Union([Type.String(), Type.Null()], {
    description: 'Whether its process was there (warm), was blank, or had to be started (cold).',
    examples: ['warm'],
  }),
  error: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'The class of the error.' }),
        message: Type.String({ description: 'What the error says.' }),
        stack: Type.String({ description: 'Where it was thrown, in the lines that you wrote.' }),
      }),
      Type.Null(),
    ],
    { description: 'What it threw, if it threw something.', examples: [null] },
  ),
  logs: Type.Array(
    Type.Object({
      at: Type.Integer({ description: 'When it was printed, in milliseconds since 1970.' }),
      level: Type.String({ description: 'debug, info, warn or error.', examples: ['info'] }),
      text: Type.String({ description: 'What was printed.' }),
    }),
    { description: 'What it printed, up to 64 kB of it.' },
  ),
  cause: Type.Union([Type.String(), Type.Null()], {
    description: 'The request, the event or the run of a schedule that it ran for.',
    examples: ['req-1'],
  }),
});
