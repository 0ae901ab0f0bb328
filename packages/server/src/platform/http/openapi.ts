import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import type { HttpServer } from './server.ts';

export interface QueryParameter {
  readonly name: string;
  readonly schema: TSchema;
}

/** What a route takes and gives; the schemas validate, type and document it. */
export interface RouteDescription {
  /** `anyone`: the call is also taken without a credential. */
  readonly access: string;
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly body?: TSchema;
  /** The parts of a multipart body, for the documentation: whoever reads the form checks it. */
  readonly form?: TSchema;
  /** For the documentation: handlers read the query string themselves. */
  readonly query?: readonly QueryParameter[];
  /** What `data` holds in a successful answer; `list` adds the figures of a page. */
  readonly answers: { readonly status: 200 | 201; readonly data: TSchema; readonly list?: boolean };
  /** Statuses of failure beyond those every route can answer with. */
  readonly failures?: readonly (400 | 404 | 413)[];
}

const failure = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.String({ description: 'One of the codes of docs/errors.md.' }),
      message: Type.String({ description: 'What happened and what to do.' }),
      details: Type.Optional(Type.Unknown()),
      requestId: Type.String(),
    }),
  },
  { $id: 'Failure' },
);

const pageFigures = {
  total: Type.Optional(Type.Integer({ description: 'Absent with Prefer: count=none.' })),
  totalIsFloor: Type.Optional(Type.Literal(true, { description: 'There are more than total.' })),
  limit: Type.Integer(),
  offset: Type.Integer(),
  hasMore: Type.Boolean(),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
};

const reasons: Record<number, string> = {
  400: 'Invalid parameters or body',
  401: 'Missing or invalid credential',
  403: 'Not permitted',
  404: 'No such resource',
  413: 'Too large',
  429: 'Rate limited',
  500: 'Fault of the service',
};

/** The route as Fastify and OpenAPI want it. */
export function describeRoute(route: RouteDescription): FastifySchema {
  const { status, data, list } = route.answers;
  const answer = Type.Object({ success: Type.Literal(true), data, ...(list && pageFigures) });
  const failures = [401, 403, 429, 500, ...(route.failures ?? [])];
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(route.access === 'anyone' && { security: [{}, { apiKey: [] }, { bearer: [] }] }),
    ...(route.description !== undefined && { description: route.description }),
    ...(route.params && { params: route.params }),
    ...(route.body && { body: route.body }),
    ...(route.form && { body: route.form, consumes: ['multipart/form-data'] }),
    ...(route.query && { querystring: querySchema(route.query) }),
    response: {
      [status]: { ...answer, description: status === 201 ? 'Created' : 'Success' },
      ...Object.fromEntries(failures.map((code) => [code, { $ref: 'Failure#', description: reasons[code] }])),
    },
  };
}

function querySchema(parameters: readonly QueryParameter[]): TSchema {
  const properties: TProperties = {};
  for (const { name, schema } of parameters) properties[name] = Type.Optional(schema);
  return Type.Object(properties);
}

/** What the document says of the service as a whole. */
interface ApiDescription {
  readonly version: string;
  readonly description: string;
  readonly servers: NonNullable<OpenApi['servers']>;
  readonly tags: NonNullable<OpenApi['tags']>;
}

type OpenApi = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

/** Generates the OpenAPI document from the routes; must be registered before them. */
export async function addOpenApi(app: HttpServer, api: ApiDescription): Promise<void> {
  app.addSchema(failure);
  // Answers are written by hand from JSON text; the response schemas are documentation.
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: documentHead(api),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, at) =>
        typeof json.$id === 'string' ? json.$id : `def-${at}`,
    },
  });
  let text: string | undefined;
  app.get(
    '/openapi.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'public, max-age=300');
      reply.type('application/json; charset=utf-8');
      text ??= JSON.stringify(app.swagger());
      return text;
    },
  );
}

function documentHead({ version, description, servers, tags }: ApiDescription): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plinth',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers,
    tags,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    security: [{ apiKey: [] }, { bearer: [] }],
  };
}
