import type { TSchema } from 'typebox';
import type { ResponseHeader } from './response-headers.ts';

/** What the OpenAPI document says of one call. Nothing of it is validated or serialised: it is only told. */
export interface Operation {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Whoever calls sends one of these; `none`: or no credential at all. Without any, credentials do not count. */
  readonly credentials: readonly ('apiKey' | 'bearer' | 'account' | 'none')[];
  readonly parameters?: readonly Parameter[];
  readonly body?: {
    readonly isOptional?: boolean;
    /** By media type. */
    readonly content: Readonly<Record<string, TSchema>>;
  };
  readonly responses: Readonly<Record<number, Response>>;
  /** Statuses of failure; all are described alike. */
  readonly failures: readonly number[];
}

/** A parameter; its schema says what it is for. */
export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly schema: TSchema;
  readonly isRequired?: boolean;
}

interface Response {
  readonly description: string;
  readonly headers?: readonly ResponseHeader[];
  readonly content?: Readonly<Record<string, TSchema>>;
}

/** The parameters of a path, each with a description. */
export function pathParameters(params: TSchema | undefined): Parameter[] {
  if (!params || !('properties' in params)) return [];
  return Object.entries(params.properties as Record<string, TSchema>).map(([name, schema]) => ({
    in: 'path',
    name,
    schema,
    isRequired: true,
  }));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the OpenAPI document says of the route, if it is in it. Asked once, by whoever reads the document first. */
    describe?: (method: string) => Operation | undefined;
  }
}
