import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { logOptions } from '../log.ts';
import { refuseUnknownRoute, renderError } from './error-handler.ts';
import { invalidBody, maxDepth, parseJson } from './parse-json.ts';

export const documentBodyLimit = 1_048_576;
export const batchBodyLimit = 16 * 1_048_576;

export interface HttpOptions {
  readonly logLevel: string;
  readonly trustProxy: string;
  /** Turns an address with a project in it into the plain path, remembering the project on the request. */
  readonly rewriteUrl: (request: IncomingMessage) => string;
}

const requestId = /^[A-Za-z0-9._-]{8,64}$/;

/** The HTTP server with all that every route shares: ids, logs, limits, JSON, errors. Knows no feature. */
export function createHttpServer(options: HttpOptions) {
  const app = fastify({
    logger: { ...logOptions(options.logLevel), stream: process.stderr },
    trustProxy:
      options.trustProxy === '' ? false : options.trustProxy.split(',').map((proxy) => proxy.trim()),
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestId.test(given) ? given : randomUUID();
    },
    rewriteUrl: options.rewriteUrl,
    bodyLimit: documentBodyLimit,
    // Headers within 10 s and a JSON body within 30 s: a slow sender does not hold a connection for minutes.
    http: { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 },
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Handlers read the query string with the query language's own parser.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: () => ({}) },
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true, allErrors: false },
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(renderError);
  app.setNotFoundHandler(refuseUnknownRoute);
  takeJson(app);
  app.addHook('onSend', async (request, reply) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
  });
  return app;
}

export type HttpServer = ReturnType<typeof createHttpServer>;

/** JSON is the only body; a body of another type is refused where the route takes one. */
function takeJson(app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      let text: string;
      try {
        text = utf8.decode(body);
      } catch {
        throw invalidBody('The body is not UTF-8.');
      }
      // A batch wraps its documents in an object and an array.
      const wrapping = request.routeOptions.bodyLimit === batchBodyLimit ? 2 : 0;
      return parseJson(text, maxDepth + wrapping);
    },
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
