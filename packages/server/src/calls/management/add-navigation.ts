import type { FastifyRequest } from 'fastify';
import { knownError } from '../../platform/http/error-handler.ts';
import { sendHtml } from '../../platform/http/html-page.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { describeNavigation } from '../describe-route.ts';
import { queryStringOf } from '../route-input.ts';
import type { ManagementContext } from './context.ts';
import { type ChangeDeps, contextOf, makeChange } from './make-change.ts';
import type { Navigation, NavigationAnswer, NavigationHandler } from './navigations.ts';
import type { Right } from './right.ts';

interface Registered<Prepared> {
  readonly deps: ChangeDeps;
  readonly right: Right;
  readonly route: Navigation<Prepared>;
}

/** Registers a route that leads a browser elsewhere, or shows a page that says why not. */
export function addNavigation<Prepared>(
  app: HttpServer,
  registered: Registered<Prepared>,
  handle: NavigationHandler<Prepared>,
): void {
  const { right, route } = registered;
  if (!right.navigation) throw new Error(`${route.url} does not say where one may come from.`);
  app.route({
    method: 'GET',
    url: route.url,
    // Nobody goes anywhere with HEAD.
    exposeHeadRoute: false,
    config: { right, describe: () => describeNavigation(route) },
    handler: async (request, reply) => {
      const { redirect, cookies } = await answerTo(registered, request, handle);
      return sendHtml(reply.header('Set-Cookie', cookies), { redirect });
    },
    errorHandler: (error, request, reply) => {
      // Rendered as every other failure.
      if (!isPerson(request)) throw error;
      const known = knownError(error, request);
      void sendHtml(reply.headers(known.headers), route.showProblem(known));
    },
  });
}

async function answerTo<Prepared>(
  { deps, route }: Registered<Prepared>,
  request: FastifyRequest,
  handle: NavigationHandler<Prepared>,
): Promise<NavigationAnswer> {
  const context = contextOf(request, deps.control);
  const visit = { queryString: queryStringOf(request), cookies: request.headers.cookie };
  const prepared = await route.prepare(context, visit);
  const run = (context: ManagementContext) => handle(context, prepared);
  return route.isChange
    ? makeChange(deps, context, { request, action: route.operationId, run })
    : run(context);
}

/** Browsers ask for pages where they show what they get. */
const isPerson = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;
