import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Cells } from '../platform/db/cells.ts';
import { type HttpServer, jsonBodyLimit } from '../platform/http/server.ts';
import { type Answer, bareHeaders, envelope } from './answer.ts';
import type { RequestContext } from './context.ts';
import { describeRoute } from './describe-route.ts';
import { invalidQuery } from './errors.ts';
import { LargeBodies } from './large-bodies.ts';
import { addPage, type PageDeps } from './page-routes.ts';
import { contextOf } from './request-context.ts';
import { fillBody, refuseBody } from './route-input.ts';
import { canRepeat, type FilledForm, type ProjectRoute, type ProjectRoutes } from './routes.ts';
import { type RunDeps, runRoute } from './run-route.ts';
import { needsOf } from './scopes/index.ts';
import { UnreadAnswers } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The multipart body, once it was read. */
    form?: FilledForm | undefined;
  }
}

interface RouteDeps extends PageDeps, Omit<RunDeps, 'keyLocks'> {}

/** The body of a batch. @limit body_too_large bytes */
const batchBodyLimit = 16 * 1_048_576;
/** A batch wraps what is sent in an object and an array. */
const batchLevels = 2;

/** Registers routes of projects on the server; the gate has let the call in by the time a handler runs. */
export function projectRoutes(app: HttpServer, deps: RouteDeps): ProjectRoutes {
  const { cells } = deps;
  const largeBodies = new LargeBodies();
  const unread = new UnreadAnswers();
  const onceDeps = { ...deps, keyLocks: new KeyedMutex() };
  app.decorateRequest('form', undefined);
  return {
    add(route, handle) {
      app.route({
        method: route.method,
        url: route.url,
        config: {
          access: route.access,
          ...(route.isSecret && { isSecret: true }),
          ...(route.isRead && { isRead: true }),
          needs: needsOf(route.scope, !canRepeat(route)),
          describe: (method) => (method === route.method ? describeRoute(route) : undefined),
          ...(route.checkItems && { wrappingLevels: batchLevels, checkItems: route.checkItems }),
          ...(route.takesText !== undefined && { takesText: true }),
          ...(route.readForm && { takesFiles: true, readForm: formReader(route.readForm, cells) }),
        },
        bodyLimit:
          route.takesText ?? route.largestBody ?? (route.checkItems ? batchBodyLimit : jsonBodyLimit),
        schema: { ...(route.params && { params: route.params }), ...(route.body && { body: route.body }) },
        ...((route.beforeBody || route.checkItems || route.largestBody) && {
          preParsing: async (request: FastifyRequest, reply: FastifyReply) => {
            const context = contextOf(request, cells);
            await route.beforeBody?.(context, request.params as Record<string, string>);
            if (route.checkItems || route.largestBody) await largeBodies.admit(context, request, reply);
          },
        }),
        ...(route.isBodyOptional && { preValidation: fillBody }),
        ...(!route.body && !route.form && { preValidation: refuseBody }),
        ...(route.readForm && { onSend: discardForm }),
        handler: async (request, reply) => {
          const context = contextOf(request, cells);
          const isBare = wantsBare(request, context);
          const answer = await runRoute(onceDeps, context, request, { route, handle });
          reply.header('Cache-Control', cachingOf(route, context));
          return send(request, reply, { context, answer, isBare, unread });
        },
      });
    },
    addRaw({ methods, url, access, scope, describe }, handle) {
      app.route({
        method: [...methods],
        url,
        config: {
          access,
          needs: needsOf(scope, false),
          takesFiles: true,
          takesAnything: true,
          ...(describe && { describe }),
        },
        exposeHeadRoute: false,
        handler: (request, reply) => handle(contextOf(request, cells), request, reply),
      });
    },
    addPage: (route) => addPage(app, route, deps),
  };
}

/** What a credential has opened, nobody on its way may give to others. */
function cachingOf({ isSecret }: Pick<ProjectRoute, 'isSecret'>, { principal }: RequestContext): string {
  if (isSecret) return 'no-store';
  const { isTrusted, user, account } = principal;
  return isTrusted || user || account ? 'private, no-cache' : 'no-cache';
}

function discardForm(
  { form }: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): NowOrLater<void> {
  if (form) return form.discard();
  done();
}

/** Reads a form for the handler, and lets go of what the handler did not record before anything is answered. */
function formReader(readForm: NonNullable<ProjectRoute['readForm']>, cells: Cells) {
  return async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    request.form = await readForm(contextOf(request, cells), {
      payload,
      headers: request.headers,
      params: request.params as Record<string, string>,
    });
    return request.form.body;
  };
}

/** The header wins over the setting. Asked before anything is done: what is refused has changed nothing. */
export function wantsBare(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { project }: RequestContext,
): boolean {
  const asked = headers['x-response-format'];
  const format = typeof asked === 'string' ? asked.trim().toLowerCase() : project.settings.responseFormat;
  if (format !== undefined && format !== 'bare' && format !== 'envelope')
    throw invalidQuery('X-Response-Format', 'The header must be "bare" or "envelope".');
  return format === 'bare';
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    context,
    answer,
    isBare,
    unread,
  }: { context: RequestContext; answer: Answer; isBare: boolean; unread: UnreadAnswers },
): FastifyReply {
  reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .headers(answer.headers ?? {});
  unread.add(context, reply, answer.data);
  if (!isBare) return reply.send(envelope(answer));
  return reply.headers(bareHeaders(answer, request.originalUrl)).send(answer.data);
}
