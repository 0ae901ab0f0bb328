import type { TSchema } from 'typebox';
import { exampleOf } from './example-of.ts';
import { failureName, failureResponses, failureSchema } from './failures.ts';
import type { Operation, Parameter } from './operation.ts';
import { type ResponseHeader, responseHeaders } from './response-headers.ts';

/** What the document says of the service as a whole. */
export interface ApiDescription {
  readonly version: string;
  readonly description: string;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Schemas that others name by their `$id`. */
  readonly schemas: readonly TSchema[];
}

export interface DescribedRoute {
  readonly method: string;
  readonly url: string;
  readonly operation: Operation;
}

/** Writes the OpenAPI document. Its schemas are JSON Schema as they stand: only references have to be rewritten. */
export function writeOpenApi(api: ApiDescription, routes: readonly DescribedRoute[]): string {
  return JSON.stringify(documentOf(api, routes), asOpenApi);
}

function documentOf(api: ApiDescription, routes: readonly DescribedRoute[]): object {
  const schemas = [failureSchema, ...api.schemas];
  const named = new Map(schemas.map((schema) => [idOf(schema), schema]));
  const writer = new Writer(named);
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, url, operation } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: writer.operation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plinth',
      version: api.version,
      summary: 'An open-source backend for apps, on PostgreSQL.',
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: api.servers,
    tags: api.tags,
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(named),
      headers: Object.fromEntries(
        Object.entries(responseHeaders).map(([name, schema]) => [name, writer.header(schema)]),
      ),
      responses: Object.fromEntries(
        failureResponses().map(([name, response]) => [name, writer.response(response)]),
      ),
      securitySchemes,
    },
  };
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The project’s API key, for servers only: rules do not apply to it.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` from an app user’s sign-in. The API key is accepted here too.',
  },
  account: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'plt_…',
    description: 'A personal access token of an account. The dashboard uses a session cookie instead.',
  },
};

const idOf = (schema: TSchema): string => ('$id' in schema ? String(schema.$id) : '');

type Response = Operation['responses'][number];

/** A schema, and what it says for people. */
type Told = TSchema & {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
};

/** Writes the parts of the document. */
class Writer {
  readonly #named: ReadonlyMap<string, TSchema>;

  constructor(named: ReadonlyMap<string, TSchema>) {
    this.#named = named;
  }

  operation({ tag, parameters = [], body, responses, failures, credentials, ...told }: Operation): object {
    return {
      operationId: told.operationId,
      tags: [tag],
      summary: told.summary,
      description: told.description,
      security: credentials.map((name) => (name === 'none' ? {} : { [name]: [] })),
      parameters: parameters.map((parameter) => this.#parameter(parameter)),
      ...(body && { requestBody: { required: !body.isOptional, content: this.#content(body.content) } }),
      responses: {
        ...Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, this.response(response)]),
        ),
        ...Object.fromEntries(
          failures.map((status) => [status, { $ref: `#/components/responses/${failureName(status)}` }]),
        ),
      },
    };
  }

  response({ description, headers = [], content }: Response): object {
    return {
      description,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers.map(headerReference)) }),
      ...(content && { content: this.#content(content) }),
    };
  }

  header({ description, ...schema }: Told): object {
    return { description, schema };
  }

  #parameter({ in: place, name, schema, isRequired = false }: Parameter): object {
    const { description, examples, ...rest }: Told = schema;
    const value = examples?.[0] ?? rest.default ?? rest.enum?.[0];
    return {
      name,
      in: place,
      description,
      required: isRequired,
      schema: rest,
      // The reference sends what has an example, unless told otherwise; a call to try should be the plainest there is.
      ...(value !== undefined && {
        examples: { example: { value, ...(!isRequired && { 'x-disabled': true }) } },
      }),
    };
  }

  #content(content: Readonly<Record<string, TSchema>>): object {
    return Object.fromEntries(
      Object.entries(content).map(([type, schema]) => {
        const { examples: _, ...rest }: Told = schema;
        return [type, { schema: rest, example: exampleOf(schema, this.#named) }];
      }),
    );
  }
}

/**
 * Writes a part of the document: `File#` is `#/components/schemas/File`. Names are given by the place in the document, and
 * that there is no example is a hint for `exampleOf` alone.
 */
function asOpenApi(key: string, value: unknown): unknown {
  if (key === '$id' || (key === 'examples' && Array.isArray(value) && value.length === 0)) return undefined;
  if (key !== '$ref' || typeof value !== 'string' || !value.endsWith('#')) return value;
  return `#/components/schemas/${value.slice(0, -1)}`;
}

function headerReference(name: ResponseHeader): [string, object] {
  return [name, { $ref: `#/components/headers/${name}` }];
}
