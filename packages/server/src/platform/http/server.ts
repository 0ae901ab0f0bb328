import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import ajvCompiler from '@fastify/ajv-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { NowOrLater } from '../concurrency/now-or-later.ts';
import { Yielder } from '../concurrency/yielder.ts';
import { guarded, reporting } from '../guarded.ts';
import { newRequestId } from '../ids.ts';
import { logOptions } from '../log.ts';
import { renderError, unknownRoutes } from './error-handler.ts';
import { bodyNeitherJsonNorForm, bodyNotJson, bodyNotText, invalidBody } from './errors.ts';
import { FaultLog } from './fault-log.ts';
import { KnownRoutes } from './known-routes.ts';
import { laterValidators } from './later-validators.ts';
import { readText, takeFields } from './page-forms.ts';
import { maxDepth, parseJson } from './parse-json.ts';
import { parseLargeJson } from './parse-large-json.ts';
import { watchBodies } from './watch-bodies.ts';

/** A JSON body, and a document. @limit body_too_large bytes */
export const jsonBodyLimit = 1_048_576;

export interface HttpOptions {
  readonly logLevel: string;
  readonly trustProxy: string;
  /** Turns an address with a project in it into the plain path, remembering the project on the request. */
  readonly rewriteUrl: (request: IncomingMessage) => string;
}

/** Longer bodies are read in turns, and piece by piece where they are lists. */
const largeBody = 65_536;

const requestId = /^[A-Za-z0-9._-]{8,64}$/;

/** The HTTP server with all that every route shares: ids, logs, limits, JSON, errors. Knows no feature. */
export function createHttpServer(options: HttpOptions) {
  const app = fastify({
    ...logging(options.logLevel),
    trustProxy:
      options.trustProxy === '' ? false : options.trustProxy.split(',').map((proxy) => proxy.trim()),
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestId.test(given) ? given : newRequestId();
    },
    rewriteUrl: (request) => decodable(options.rewriteUrl(request)),
    bodyLimit: jsonBodyLimit,
    // Headers within 10 s. Bodies are watched one by one, since a file may take longer than JSON.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    clientErrorHandler: refuseConnection,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Handlers read the query string with the query language's own parser.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000, querystringParser: () => ({}) },
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true, allErrors: false },
    },
    schemaController: { compilersFactory: { buildValidator: laterValidators(ajvCompiler()) } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const failed = reporting(app.log, 'an expectation could not be refused');
  app.server.on('checkExpectation', guarded(failed, refuseExpectation));
  app.decorate('engineFaults', new FaultLog(app.log));
  app.decorateRequest('failure', undefined);
  app.setErrorHandler(renderError);
  app.setNotFoundHandler(unknownRoutes(new KnownRoutes(app)));
  takeJson(app);
  takeFiles(app);
  takeFields(app);
  watchBodies(app, refuseConnection);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    done();
  });
  return app;
}

/** Two lines for each call are a large part of the cost of a read: they come only with LOG_LEVEL=debug. */
function logging(level: string) {
  return {
    logger: { ...logOptions(level), stream: process.stderr },
    logController: new fastify.LogController({
      disableRequestLogging: level !== 'debug' && level !== 'trace',
    }),
  };
}

export type HttpServer = ReturnType<typeof createHttpServer>;

/** Every route takes JSON, except those that take files and the forms of pages. */
function takeJson(app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      let value: NowOrLater<unknown>;
      try {
        value = parseBody(request, body);
      } catch (error) {
        return done(error as Error);
      }
      if (value instanceof Promise) return value;
      done(null, value);
    },
  );
}

/** What a JSON body says: at once if it is short, otherwise in turns. */
function parseBody({ ip, routeOptions }: FastifyRequest, body: Buffer): NowOrLater<unknown> {
  if (body.length === 0) return undefined;
  const { wrappingLevels = 0, checkItems, takesText } = routeOptions.config ?? {};
  const text = decoded(body);
  if (takesText && !text.startsWith('"')) throw bodyNotText();
  const maxLevels = maxDepth + wrappingLevels;
  if (text.length < largeBody) return parseJson(text, maxLevels);
  const yielder = new Yielder(ip);
  if (!checkItems) return parseInTurn(yielder, text, maxLevels);
  return parseLargeJson({ text, yielder, maxLevels, longestElement: jsonBodyLimit, checkCount: checkItems });
}

function decoded(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalidBody('The body is not UTF-8.');
  }
}

/** Apart from other long work, and from what is done with it next. */
async function parseInTurn(yielder: Yielder, text: string, maxLevels: number): Promise<unknown> {
  if (yielder.isRestDue) await yielder.rest();
  const value = parseJson(text, maxLevels);
  if (yielder.isRestDue) await yielder.rest();
  return value;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many levels of the JSON body only wrap what is sent, beyond the levels that every body may have. */
    wrappingLevels?: number;
    /** For bodies that are one long list: refuses more items than a call may have, before they are read. */
    checkItems?: (count: number) => void;
    /** Reads the multipart body of a route that takes files. */
    readForm?: (request: FastifyRequest, payload: IncomingMessage) => Promise<unknown>;
    /** The handler reads the body itself, as it arrives and whatever its type. */
    takesAnything?: boolean;
  }
}

/** Routes that take files read them as they arrive. */
function takeFiles(app: Pick<FastifyInstance, 'addContentTypeParser' | 'addHook'>): void {
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { readForm } = request.routeOptions.config;
      if (!readForm)
        throw invalidBody(
          'This endpoint does not accept files: send JSON, with Content-Type: application/json.',
        );
      return readForm(request, payload);
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { takesAnything, takesText, readForm } = request.routeOptions.config;
    if (takesAnything) return payload;
    if (takesText) return readText(payload, request.routeOptions.bodyLimit);
    throw readForm ? bodyNeitherJsonNorForm() : bodyNotJson();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    // Whatever type such a body claims to have, no parser may take it.
    if (request.routeOptions.config?.takesAnything) {
      request.headers = { 'content-type': 'application/octet-stream' };
    }
    done();
  });
}

/** A path that cannot be decoded is no route, and passes the gate like any other unknown path. */
function decodable(url: string): string {
  if (!url.includes('%')) return url;
  try {
    const [path = ''] = url.split('?', 1);
    decodeURIComponent(path);
    return url;
  } catch {
    return '/%EF%BF%BD';
  }
}

/** What is not HTTP never becomes a request, but is answered in the same form. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Browsers open connections before they need them. One that is used at this moment would take this for its answer.
  if (isSlow && socket.bytesRead === 0) return void socket.destroy();
  const body = failureText(
    isSlow
      ? 'The request took too long to arrive.'
      : 'This is not a valid HTTP request, or its headers are too large.',
  );
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  socket.destroy(error);
}

/** A call that expects anything but 100-continue never becomes a request either. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = failureText('Only the expectation 100-continue is supported.');
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
  response.writeHead(400, headers).end(body);
}

function failureText(message: string): string {
  return JSON.stringify({
    success: false,
    error: { code: 'invalid_body', message, requestId: randomUUID() },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
