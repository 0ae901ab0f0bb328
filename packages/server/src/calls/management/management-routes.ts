import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { HttpServer } from '../../platform/http/server.ts';
import { envelope } from '../answer.ts';
import { describeManagementRoute } from '../describe-route.ts';
import { fillBody, queryStringOf, refuseBody } from '../route-input.ts';
import { addNavigation } from './add-navigation.ts';
import { addStream } from './add-stream.ts';
import type { ManagementAnswer, ManagementContext } from './context.ts';
import { type ChangeDeps, contextOf, makeChange } from './make-change.ts';
import type { Right, Rights } from './right.ts';
import type { ManagementHandler, ManagementInput, ManagementRoute, ManagementRoutes } from './routes.ts';

interface ManagementDeps extends ChangeDeps {
  readonly rights: Rights;
}

/** Registers routes of management; the gate has let the call in by the time a handler runs. */
export function managementRoutes(app: HttpServer, deps: ManagementDeps): ManagementRoutes {
  return {
    add(route, handle) {
      const right = rightOf(deps, `${route.method} ${route.url}`);
      app.route({
        method: route.method,
        url: route.url,
        config: {
          right,
          describe: (method) => (method === route.method ? describeManagementRoute(route, right) : undefined),
        },
        schema: { ...(route.params && { params: route.params }), ...(route.body && { body: route.body }) },
        ...(route.isBodyOptional && { preValidation: fillBody }),
        ...(!route.body && { preValidation: refuseBody }),
        handler: async (request, reply) => {
          const answer = await answerTo(deps, request, route, handle);
          return reply
            .code(answer.status)
            .type('application/json; charset=utf-8')
            .header('Cache-Control', 'no-store')
            .headers(answer.headers ?? {})
            .send(envelope(answer));
        },
      });
    },
    addStream(route, watch) {
      addStream(app, { control: deps.control, right: rightOf(deps, `GET ${route.url}`), route }, watch);
    },
    addNavigation(route, handle) {
      addNavigation(app, { deps, right: rightOf(deps, `GET ${route.url}`), route }, handle);
    },
  };
}

function rightOf({ rights }: ManagementDeps, name: string): Right {
  const right = rights[name];
  if (!right) throw new Error(`${name} has no row in the table of rights.`);
  return right;
}

async function answerTo<Params extends TSchema, Body extends TSchema, Prepared>(
  deps: ManagementDeps,
  request: FastifyRequest,
  route: ManagementRoute<Params, Body, Prepared>,
  handle: ManagementHandler<Params, Body, Prepared>,
): Promise<ManagementAnswer> {
  const context = contextOf(request, deps.control);
  const given = inputOf<Params, Body>(request);
  // Without `prepare` the type is undefined.
  const prepared = (await route.prepare?.(context, given)) as Prepared;
  const run = (context: ManagementContext) => handle(context, { ...given, prepared });
  const isChange = route.method !== 'GET' && !route.isRead;
  return isChange ? makeChange(deps, context, { request, action: route.operationId, run }) : run(context);
}

/** What was sent, typed by the schemas that Fastify has checked it with. */
function inputOf<Params extends TSchema, Body extends TSchema>(
  request: FastifyRequest,
): ManagementInput<Params, Body, undefined> {
  const { params, body } = request;
  const input = { params, body, prepared: undefined, queryString: queryStringOf(request) };
  return input as ManagementInput<Params, Body, undefined>;
}
