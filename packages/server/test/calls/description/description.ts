import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Client, Reply } from '../../support/client.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: unknown;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Headers that HTTP itself and browsers need: no program looks at them. */
const plumbing =
  /^(?:date|connection|keep-alive|content-type|content-length|transfer-encoding|vary|x-content-type-options|cross-origin-resource-policy|access-control-.*)$/;

/** The OpenAPI document, and whether what the service does is in it. */
export class Description {
  readonly document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: OpenApi) {
    this.document = document;
    this.#ajv.addFormat('uuid', uuid).addFormat('date-time', instant);
    this.#ajv.addFormat('uri', (text) => URL.canParse(text)).addFormat('binary', true);
    this.#ajv.addSchema(document, 'openapi');
  }

  static async read(client: Client): Promise<Description> {
    return new Description((await client.get('/openapi.json')).body);
  }

  /** Every operation, by `METHOD /path/:name`, as the router writes it. */
  operations(): [route: string, operation: Operation][] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        operation,
      ]),
    );
  }

  find(route: string): Operation | undefined {
    return this.operations().find(([name]) => name === route)?.[1];
  }

  /** What an answer has that the document does not say, and what it says otherwise. */
  problemsOf(route: string, { status, headers, text, body }: Reply, isBare = false): string[] {
    const response = this.#resolved<Response>(this.find(route)?.responses[status]);
    if (!response) return [`${status} is not described`];
    const described = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const undescribed = [...headers.keys()].filter(
      (name) => !plumbing.test(name) && !described.includes(name),
    );
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const media = response.content?.[type];
    const problems = undescribed.map((name) => `${status} has an undescribed header ${name}`);
    if (text === '' || response.content?.['application/octet-stream']) return problems;
    if (!media) return [...problems, `${status} has an undescribed content ${type}`];
    if (body === undefined) return problems;
    const schema = isBare ? media.schema.properties!.data! : media.schema;
    return [...problems, ...this.misfits(schema, body), ...this.#surplus(schema, body, 'body')];
  }

  /** Why a value does not fit a schema of the document; empty if it does. */
  misfits(schema: Schema, value: unknown): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
    const validate = this.#ajv.compile(JSON.parse(text));
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Fields that an answer has and its schema does not name. */
  #surplus(given: Schema, value: unknown, at: string): string[] {
    const schema = this.#resolved<Schema>(given) ?? {};
    if (schema.anyOf) {
      const found = schema.anyOf
        .filter((one) => this.misfits(one, value).length === 0)
        .map((one) => this.#surplus(one, value, at));
      return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
    }
    if (Array.isArray(value))
      return schema.items
        ? value.flatMap((item, index) => this.#surplus(schema.items!, item, `${at}.${index}`))
        : [];
    if (typeof value !== 'object' || value === null || schema.type !== 'object') return [];
    const isOpen = schema.additionalProperties || schema.patternProperties;
    return Object.entries(value).flatMap(([name, part]) => {
      const known = schema.properties?.[name];
      if (known) return this.#surplus(known, part, `${at}.${name}`);
      return isOpen ? [] : [`${at}.${name} is not described`];
    });
  }

  #resolved<Part extends { readonly $ref?: string }>(part: Part | undefined): Part | undefined {
    if (part?.$ref === undefined) return part;
    const [, , kind = '', name = ''] = part.$ref.split('/');
    return this.document.components[kind]?.[name] as Part;
  }
}
