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
  parameter('status__gte', 'Only responses with this status or higher, such as 400.'),
  parameter('status__lte', 'Only responses with this status or lower.'),
  parameter('ms__gte', 'Only requests that took at least this many milliseconds.'),
  parameter('route', 'Only requests to this route, such as `GET /collections/:collection`.'),
  parameter('credential', 'Only requests with this credential: `none`, `user`, `apiKey` or `account`.'),
  parameter(
    'credential__ne',
    'All but this credential: with `account`, requests that are not from the dashboard.',
  ),
  parameter('user', 'Only requests of the app user with this id.'),
  parameter('code', 'Only requests that failed with this error code.'),
];

const request = Type.Object(
  {
    id: Type.String({
      description: 'The id of the request, as in the `X-Request-Id` header of its response.',
    }),
    at: Type.String({ format: 'date-time', description: 'When it was received.' }),
    route: Type.String({
      description: 'The route of the request.',
      examples: ['GET /collections/:collection'],
    }),
    status: Type.Integer({ description: 'The status of the response.', examples: [200] }),
    ms: Type.Number({ description: 'How long it took.', examples: [3.2] }),
    credential: Type.String({ description: 'The kind of credential.', examples: ['user'] }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'The code of the error, if it failed.',
      examples: [null],
    }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'The message of the error, without anything that may be secret.',
      examples: [null],
    }),
    weight: Type.Integer({ description: 'How many requests this entry stands for.', examples: [1] }),
  },
  { additionalProperties: true, description: 'A request to the project.' },
);

const step = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the hour or day starts.' }),
    reads: Type.Integer({ description: 'The number of read requests.', examples: [120] }),
    writes: Type.Integer({ description: 'The number of write requests.', examples: [12] }),
  },
  { additionalProperties: true, description: 'An hour or a day with requests.' },
);

const limits = Type.Object(
  Object.fromEntries(
    tierFigures.map(([name, description]) => [
      name,
      Type.Union([Type.Integer(), Type.Null()], {
        description: `The maximum number of ${description}; null: there is no limit.`,
        examples: [1000],
      }),
    ]),
  ),
  { description: 'What the tier of the project allows.' },
);

const held = Type.Object({
  day: Type.String({ format: 'date', description: 'The day (UTC).', examples: ['2026-11-17'] }),
  documents: Type.Integer({ description: 'The number of documents in all collections.', examples: [420] }),
  documentBytes: Type.Integer({ description: 'The size of all documents in bytes.', examples: [107_520] }),
  storageBytes: Type.Integer({ description: 'The size of all files in bytes.', examples: [1_048_576] }),
  users: Type.Integer({ description: 'The number of app users.', examples: [12] }),
});

const advice = Type.Object({
  code: Type.String({ description: 'The kind of problem.', examples: ['roles_open'] }),
  severity: Type.Union([Type.Literal('warning'), Type.Literal('notice')], {
    description: 'How urgent it is.',
  }),
  target: Type.String({ description: 'The collection, key or project it is about.', examples: ['posts'] }),
  message: Type.String({ description: 'What to do.', examples: ['Any app user can claim any role. …'] }),
});

export function addInsightRoutes(routes: ManagementRoutes, deps: InsightDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/requests',
      tag,
      operationId: 'listRequests',
      summary: 'List the requests of a project',
      description:
        'The latest first, as far back as the tier of the project keeps them. If few match the filter, a page may be short, or empty, and still have a `nextCursor`.',
      params,
      query: [
        ...filterParameters,
        parameter('from', 'Only entries at or after this time.'),
        parameter('to', 'Only entries before this time.'),
        parameter('limit', 'The maximum number of entries per page, at most 100.'),
        parameter('cursor', 'The `nextCursor` of the previous page.'),
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
      summary: 'Stream the requests of a project live',
      description:
        'Server-Sent Events named `request`, each with a request as in the list, within a second. The stream ends after a minute: connect again to continue. For a busy project, you see only some of its requests.',
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
      summary: 'Read one request of a project',
      description:
        'By the id in the `X-Request-Id` header of its response, or the one that the caller sent, as long as it is kept.',
      params: Type.Object({
        ...params.properties,
        request: Type.String({
          maxLength: 128,
          description: 'The id of the request.',
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
        'By hours or days (UTC); the last 24 hours by default. Steps without requests are omitted.',
      params,
      query: [
        parameter('from', 'The start of the period.'),
        parameter('to', 'The end of the period.'),
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
      summary: 'See what a project stored, day by day',
      description:
        'Documents, files and app users (UTC); the last 90 days by default. Recorded about once an hour. A day on which nothing changed is omitted: it is like the previous one.',
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
      summary: 'Get security advice for a project',
      description:
        'Personal fields that anyone can read, rules that trust what users write, roles that anyone can claim, keys in browsers, unused keys, an owner without a second factor.',
      params,
      answers: { status: 200, data: Type.Array(advice) },
    },
    async (context) => ok(await readAdvice(deps, context)),
  );
}
