import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import { isWorthAgain } from '../../platform/db/pool.ts';
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
  /** Resolves when this node has heard what has changed in a cell. */
  readonly caughtUp: (cell: number) => Promise<void>;
}

/** Registers routes of projects on the server; the gate has let the call in by the time a handler runs. */
export function projectRoutes(app: HttpServer, services: RouteServices): ProjectRoutes {
  const { cells } = services;
  app.decorateRequest('form', undefined);
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
        ...(route.readForm && { onSend: discardForm }),
        ...(route.form && { validatorCompiler: () => () => true }),
        handler: async (request, reply) => {
          const context = contextOf(request, cells);
          const answer = await runIdempotently(services, context, request, { route, handle });
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

async function discardForm(request: FastifyRequest): Promise<void> {
  await request.form?.discard();
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
  services: RouteServices,
  context: RequestContext,
  request: FastifyRequest,
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
  if (route.method !== 'POST' || key === undefined) {
    const input = await prepared();
    return withNews(services, context, () => handle(context, input));
  }
  const call = {
    key: String(key),
    method: route.method,
    path: url,
    // Each call gives its files new addresses; what tells calls apart is what was sent.
    body: request.form ? request.form.digest : request.body,
    replay: route.replay,
  };
  const input = route.usesUp && (await wasAnswered(context, call)) ? undefined : await prepared();
  return withNews(services, context, () =>
    runOnce(context, call, services.vault, async (context) => handle(context, input ?? (await prepared()))),
  );
}

const mostTries = 5;

/**
 * Does work again that was begun with an old idea of where collections are, or broken off to end a deadlock: nothing of
 * it has been committed.
 */
async function withNews(
  { caughtUp }: RouteServices,
  { project }: RequestContext,
  work: () => Promise<Answer>,
): Promise<Answer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthAgain(error) || tried === mostTries) throw error;
      await caughtUp(project.cell);
      // The change may be visible a moment before the news of it is sent.
      await sleep((tried - 1) * 50);
    }
  }
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
