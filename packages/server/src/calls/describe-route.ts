import { type TSchema, Type } from 'typebox';
import { type Operation, pathParameters, type ResponseHeader } from '../platform/http/openapi/index.ts';
import type { Right } from './management/right.ts';
import type { ManagementStream } from './management/routes.ts';
import { headerParameters } from './request-headers.ts';
import { canRepeat, type ProjectRoute, type QueryParameter, type RouteDescription } from './routes.ts';

const counted: ResponseHeader[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What every answer to a call of a project says in its headers. */
export const projectHeaders: readonly ResponseHeader[] = ['X-Request-Id', 'Cache-Control', ...counted];

/** What every call of a project may fail with. A body that is too large is refused even where none is taken. */
const failures = [400, 401, 403, 429, 500, 503];

const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Hints that the request worked, but probably not as intended.',
    examples: [],
  }),
);

const versions = Type.Optional(
  Type.Array(Type.String(), {
    description: 'With `Prefer: versions`: which version each document is, in the order of `data`.',
    examples: [],
  }),
);

const pageFigures = {
  total: Type.Optional(
    Type.Integer({
      description: 'The number of entries on all pages. Absent with `Prefer: count=none`.',
      examples: [1],
    }),
  ),
  totalIsFloor: Type.Optional(
    Type.Literal(true, {
      description: 'There are more than `total`: counting stopped there.',
      examples: [],
    }),
  ),
  limit: Type.Integer({ description: 'The maximum number of entries per page.', examples: [20] }),
  offset: Type.Integer({ description: 'The number of skipped entries.', examples: [0] }),
  hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
  nextCursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Send it as `cursor` for the next page; null if there is none, or the list has no cursors.',
    examples: [null],
  }),
};

const credentials = {
  server: ['apiKey'],
  user: ['bearer'],
  credential: ['apiKey', 'bearer'],
  anyone: ['apiKey', 'bearer', 'none'],
} as const;

interface Describable
  extends RouteDescription,
    Pick<ProjectRoute, 'method' | 'access' | 'headers' | 'isBodyOptional' | 'takesText' | 'isRead'> {
  readonly params?: TSchema;
  readonly body?: TSchema;
}

/** What the OpenAPI document says of a route of a project, made of what the route itself goes by. */
export function describeRoute(route: Describable): Operation {
  const { method, answers, body, form } = route;
  const takesKey = canRepeat(route);
  return {
    operationId: route.operationId,
    tag: route.tag,
    summary: route.summary,
    description: route.description,
    credentials: credentials[route.access],
    parameters: [
      ...pathParameters(route.params),
      ...(route.query ?? []).map(describeQuery),
      ...headerParameters([
        ...(route.headers ?? []),
        ...(takesKey ? (['Idempotency-Key'] as const) : []),
        'X-Response-Format',
      ]),
    ],
    ...((body || form) && {
      body: {
        isOptional: route.isBodyOptional ?? false,
        content: {
          ...(body && { [route.takesText ? 'application/x-www-form-urlencoded' : 'application/json']: body }),
          ...(form && { 'multipart/form-data': form }),
        },
      },
    }),
    responses: {
      [answers.status]: {
        description: answers.status === 201 ? 'Created' : 'Success',
        headers: [
          ...projectHeaders,
          ...(takesKey ? (['Idempotency-Replayed'] as const) : []),
          ...(answers.list ? (['X-Total-Count', 'X-Total-Floor', 'Link'] as const) : []),
          ...(answers.hasVersions ? (['X-Versions'] as const) : []),
          ...(answers.hasVersion ? (['ETag'] as const) : []),
        ],
        content: { 'application/json': envelopeOf(answers) },
      },
    },
    failures: [...new Set([...failures, ...(method === 'GET' ? [] : [413]), ...(route.failures ?? [])])],
  };
}

/** What the OpenAPI document says of a route of management. */
export function describeManagementRoute(
  route: RouteDescription & {
    readonly params?: TSchema;
    readonly body?: TSchema;
    readonly isBodyOptional?: boolean;
  },
  { who }: Right,
): Operation {
  const { answers, body } = route;
  return {
    operationId: route.operationId,
    tag: route.tag,
    summary: route.summary,
    description: route.description,
    credentials: who === 'anyone' ? ['none'] : ['account'],
    parameters: [...pathParameters(route.params), ...(route.query ?? []).map(describeQuery)],
    ...(body && {
      body: { isOptional: route.isBodyOptional ?? false, content: { 'application/json': body } },
    }),
    responses: {
      [answers.status]: {
        description: answers.status === 201 ? 'Created' : 'Success',
        headers: projectHeaders,
        content: { 'application/json': envelopeOf(answers) },
      },
    },
    failures: [...new Set([...failures, 413, ...(route.failures ?? [])])],
  };
}

/** What the OpenAPI document says of a route of management that tells what happens. */
export function describeManagementStream(route: ManagementStream, right: Right): Operation {
  const { data, event } = route;
  const operation = describeManagementRoute({ ...route, answers: { status: 200, data } }, right);
  const example = `event: ${event}\ndata: {…}\n\n`;
  return {
    ...operation,
    responses: {
      200: {
        description: 'Events, for one minute',
        headers: [...projectHeaders, 'X-Accel-Buffering'],
        content: { 'text/event-stream': Type.String({ examples: [example] }) },
      },
    },
  };
}

/** What the OpenAPI document says of a route that leads a browser elsewhere. */
export function describeNavigation(route: Omit<RouteDescription, 'answers'>): Operation {
  return {
    operationId: route.operationId,
    tag: route.tag,
    summary: route.summary,
    description: route.description,
    credentials: ['none'],
    parameters: (route.query ?? []).map(describeQuery),
    responses: {
      303: { description: 'Redirects the browser', headers: [...projectHeaders, 'Location'] },
    },
    failures: [...failures, 404],
  };
}

function envelopeOf({ data, beside, list, hasVersions }: ProjectRoute['answers']): TSchema {
  return Type.Object({
    success: Type.Literal(true),
    data,
    ...beside,
    ...(list && pageFigures),
    ...(hasVersions && { versions }),
    warnings,
  });
}

function describeQuery({ name, schema, isRequired = false }: QueryParameter) {
  return { in: 'query' as const, name, schema, isRequired };
}
