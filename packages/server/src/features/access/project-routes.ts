import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import { type Answer, bareHeaders, envelope } from '../../platform/http/answer.ts';
import { describeRoute } from '../../platform/http/openapi.ts';
import { batchBodyLimit, documentBodyLimit, type HttpServer } from '../../platform/http/server.ts';
import type { Vault } from '../../platform/vault.ts';
import type {
  FilledForm,
  ProjectRoute,
  ProjectRoutes,
  RequestContext,
  RouteInput,
} from '../projects/index.ts';
import { addPage, type PageServices } from './page-routes.ts';
import { contextOf } from './request-context.ts';
import { runOnce, wasAnswered } from './run-once.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The multipart body, once it was read. */
    form?: FilledForm | undefined;
  }
}

type Handler = (context: RequestContext, input: RouteInput) => Promise<Answer>;

interface RouteServices extends PageServices {
  readonly vault: Vault;
}

/** Registers routes of projects on the server; the gate has let the call in by the time a handler runs. */
export function projectRoutes(app: HttpServer, services: RouteServices): ProjectRoutes {
  const { cells, vault } = services;
  app.decorateRequest('form', undefined);
  app.addHook('onSend', async (request) => request.form?.discard());
  return {
    add(route, handle) {
      app.route({
        method: route.method,
        url: route.url,
        config: {
          access: route.access,
          ...(route.readForm && { takesFiles: true, readForm: formReader(route, cells) }),
        },
        bodyLimit: route.isBatch ? batchBodyLimit : documentBodyLimit,
        schema: {
          ...describeRoute(route),
          ...(route.readForm && route.body && { consumes: ['application/json', 'multipart/form-data'] }),
        },
        ...(route.isBodyOptional && { preValidation: fillBody }),
        ...(route.form && { validatorCompiler: () => () => true }),
        handler: async (request, reply) => {
          const context = contextOf(request, cells);
          const answer = await runIdempotently(context, request, vault, { route, handle });
          // Tokens, secrets and states are in these answers.
          if (route.url.startsWith('/auth-collections')) reply.header('Cache-Control', 'no-store');
          return send(request, reply, context, answer);
        },
      });
    },
    addRaw({ methods, url, access }, handle) {
      app.route({
        method: [...methods],
        url,
        config: { access, takesFiles: true, takesAnything: true },
        schema: { hide: true },
        exposeHeadRoute: false,
        handler: (request, reply) => handle(contextOf(request, cells), request, reply),
      });
    },
    addPage: (route) => addPage(app, route, services),
  };
}

async function fillBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

/** Reads a form for the handler, and lets go of what the handler did not record before anything is answered. */
function formReader(route: ProjectRoute, cells: Cells) {
  return async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    request.form = await route.readForm!(contextOf(request, cells), {
      payload,
      headers: request.headers,
      params: request.params as Record<string, string>,
    });
    return request.form.body;
  };
}

async function runIdempotently(
  context: RequestContext,
  request: FastifyRequest,
  vault: Vault,
  { route, handle }: { route: ProjectRoute; handle: Handler },
): Promise<Answer> {
  const url = request.url;
  const queryAt = url.indexOf('?');
  const given: RouteInput = {
    params: request.params as Record<string, string>,
    body: request.body,
    ...(request.form && { form: request.form }),
    queryString: queryAt === -1 ? '' : url.slice(queryAt + 1),
    headers: request.headers,
  };
  const prepared = async (): Promise<RouteInput> =>
    route.prepare ? { ...given, prepared: await route.prepare(context, given) } : given;
  const key = request.headers['idempotency-key'];
  if (route.method !== 'POST' || key === undefined) return handle(context, await prepared());
  const call = {
    key: String(key),
    method: route.method,
    path: url,
    // Each call gives its files new addresses; what tells calls apart is what was sent.
    body: request.form ? request.form.digest : request.body,
    replay: route.replay,
  };
  const input = route.usesUp && (await wasAnswered(context, call)) ? undefined : await prepared();
  return runOnce(context, call, vault, async (context) => handle(context, input ?? (await prepared())));
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
  answer: Answer,
): FastifyReply {
  const asked = request.headers['x-response-format'];
  const isBare =
    (typeof asked === 'string' ? asked.toLowerCase() : context.project.settings.responseFormat) === 'bare';
  reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .headers(answer.headers ?? {});
  if (!isBare) return reply.send(envelope(answer));
  return reply.headers(bareHeaders(answer, request.originalUrl)).send(answer.data);
}
