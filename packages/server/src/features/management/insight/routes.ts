import { Type } from 'typebox';
import { ok, tierFigures } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import {
  type InsightDeps,
  readAdvice,
  readHoldings,
  readRequest,
  readRequests,
  readUsage,
  watchRequests,
} from './read-insight.ts';

const tag = 'Insight';
const params = Type.Object({
  ref: Type.String({
    pattern: '^[a-z0-9]{12}$',
    description: 'The ref of the project.',
    examples: ['abcdefghijkl'],
  }),
});
const parameter = (name: string, description: string) => ({ name, schema: Type.String({ description }) });

const filterParameters = [
  parameter('status__gte', 'Answers from this status on, such as 400.'),
  parameter('status__lte', 'Answers up to this status.'),
  parameter('ms__gte', 'Calls that took at least so many milliseconds.'),
  parameter('route', 'Such as `GET /collections/:collection`.'),
  parameter('credential', '`none`, `user`, `apiKey` or `account`.'),
  parameter('credential__ne', 'All others: with `account`, calls that are not from the dashboard.'),
  parameter('user', 'The id of an app user.'),
  parameter('code', 'The code of an error.'),
];

const request = Type.Object(
  {
    id: Type.String({ description: 'The id of the call, as its answer had it.' }),
    at: Type.String({ format: 'date-time', description: 'When it came.' }),
    route: Type.String({ description: 'What was called.', examples: ['GET /collections/:collection'] }),
    status: Type.Integer({ description: 'How it was answered.', examples: [200] }),
    ms: Type.Number({ description: 'How long it took.', examples: [3.2] }),
    credential: Type.String({ description: 'Who called.', examples: ['user'] }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'The code of the error, if it failed.',
      examples: [null],
    }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'What was said of the error, without what may be a secret.',
      examples: [null],
    }),
    weight: Type.Integer({ description: 'How many calls it stands for.', examples: [1] }),
  },
  { additionalProperties: true, description: 'A call of the project.' },
);

const step = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the hour or day begins.' }),
    reads: Type.Integer({ description: 'Calls that read.', examples: [120] }),
    writes: Type.Integer({ description: 'Calls that wrote.', examples: [12] }),
  },
  { additionalProperties: true, description: 'An hour or a day with calls.' },
);

const limits = Type.Object(
  Object.fromEntries(
    tierFigures.map(([name, description]) => [
      name,
      Type.Union([Type.Integer(), Type.Null()], {
        description: `At most so many ${description}; null: there is no limit.`,
        examples: [1000],
      }),
    ]),
  ),
  { description: 'What the tier of the project allows.' },
);

const held = Type.Object({
  day: Type.String({ format: 'date', description: 'The day (UTC).', examples: ['2026-11-17'] }),
  documents: Type.Integer({ description: 'Documents, of all collections.', examples: [420] }),
  documentBytes: Type.Integer({ description: 'Bytes of all documents.', examples: [107_520] }),
  storageBytes: Type.Integer({ description: 'Bytes of all files.', examples: [1_048_576] }),
  users: Type.Integer({ description: 'App users.', examples: [12] }),
});

const advice = Type.Object({
  code: Type.String({ description: 'What it is about.', examples: ['roles_open'] }),
  severity: Type.Union([Type.Literal('warning'), Type.Literal('notice')], {
    description: 'How urgent it is.',
  }),
  target: Type.String({ description: 'The collection, key or project.', examples: ['posts'] }),
  message: Type.String({ description: 'What to do.', examples: ['Any app user may claim any role. …'] }),
});

export function addInsightRoutes(routes: ManagementRoutes, deps: InsightDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/requests',
      tag,
      operationId: 'listRequests',
      summary: 'See the calls of a project',
      description:
        'The latest first, as far back as the tier of the project keeps them. Where few pass the filter, a page may be short, or empty, and still have a `nextCursor`.',
      params,
      query: [
        ...filterParameters,
        parameter('from', 'Not before this time.'),
        parameter('to', 'Before this time.'),
        parameter('limit', 'The most that a page has: at most 100.'),
        parameter('cursor', 'The `nextCursor` of the page before.'),
      ],
      answers: { status: 200, data: Type.Array(request), list: true },
    },
    async (context, { queryString }) => {
      const { requests, limit, nextCursor } = await readRequests(deps, context, queryString);
      const hasMore = nextCursor !== null;
      return {
        ...ok(requests),
        page: { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor },
      };
    },
  );
  routes.addStream(
    {
      url: '/management/projects/:ref/requests/stream',
      tag,
      operationId: 'watchRequests',
      summary: 'Watch the calls of a project as they come',
      description:
        'Server-Sent Events named `request`, each with a call as in the list, within a second. It ends after a minute: call again to go on. Of a busy project you see some of its calls.',
      params,
      query: filterParameters,
      event: 'request',
      data: request,
    },
    async (context, queryString, signal) => watchRequests(deps, context, queryString, signal),
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/requests/:request',
      tag,
      operationId: 'getRequest',
      summary: 'See one call of a project',
      description:
        'By the id that its answer had in `X-Request-Id`, or that the caller gave it, as long as it is kept.',
      params: Type.Object({
        ...params.properties,
        request: Type.String({
          maxLength: 128,
          description: 'The id of the call.',
          examples: ['01a0c5a2-7d2e-7b3c-9f00-3f1d2b6c7a90'],
        }),
      }),
      answers: { status: 200, data: request },
      failures: [404],
    },
    async (context, { params: given }) => ok(await readRequest(deps, context, given.request)),
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/usage',
      tag,
      operationId: 'readUsage',
      summary: 'See what a project has used',
      description:
        'By hours or days (UTC); of the last 24 hours, unless you say otherwise. Steps without a call are left out.',
      params,
      query: [
        parameter('from', 'The first moment.'),
        parameter('to', 'The last moment.'),
        parameter('step', '`hour` or `day`.'),
      ],
      answers: { status: 200, data: Type.Array(step), beside: { limits } },
    },
    async (context, { queryString }) => {
      const usage = await readUsage(deps, context, queryString);
      return { ...ok(usage.steps), beside: { limits: JSON.stringify(usage.limits) } };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/usage/days',
      tag,
      operationId: 'readHoldings',
      summary: 'See what a project held, day by day',
      description:
        'Documents, files and app users (UTC); of the last 90 days, unless you say otherwise. Noted about once an hour. A day on which nothing changed is left out: it is as the one before.',
      params,
      query: [parameter('from', 'The first day.'), parameter('to', 'The last day.')],
      answers: { status: 200, data: Type.Array(held) },
    },
    async (context, { queryString }) => ok(await readHoldings(deps, context, queryString)),
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/advice',
      tag,
      operationId: 'readAdvice',
      summary: 'See what to look at for safety',
      description:
        'Personal fields that everyone may read, rules that trust what users write, roles that anyone may claim, keys in browsers, keys that nobody uses, an owner without a second factor.',
      params,
      answers: { status: 200, data: Type.Array(advice) },
    },
    async (context) => ok(await readAdvice(deps, context)),
  );
}
