import type { FastifyRequest } from 'fastify';
import type { Cells } from '../platform/db/cells.ts';
import { knownError } from '../platform/http/error-handler.ts';
import { invalidBody } from '../platform/http/errors.ts';
import { sendHtml } from '../platform/http/html-page.ts';
import { type PageFields, pageFormLimit, readFields } from '../platform/http/page-forms.ts';
import type { HttpServer } from '../platform/http/server.ts';
import { checkFormOrigin, type OwnOrigins } from './gate/check-form-origin.ts';
import type { PageRoute, PageVisit } from './pages.ts';
import { contextOf } from './request-context.ts';
import { needsOf } from './scopes/index.ts';

export interface PageDeps extends OwnOrigins {
  readonly cells: Cells;
}

const noFields = (): PageFields => new Map();

/** Registers a page. Whatever goes wrong with it, at the gate too, is told by a page. */
export function addPage(app: HttpServer, route: PageRoute, deps: PageDeps): void {
  const takesFields = route.method === 'POST';
  app.route({
    method: route.method,
    url: route.url,
    config: { access: 'anyone', needs: needsOf('users', !takesFields), isPage: true, takesFields },
    bodyLimit: pageFormLimit,
    ...(takesFields && {
      onRequest: async (request: FastifyRequest) => {
        checkFormOrigin(request.headers, request.caller?.project, deps);
      },
    }),
    handler: async (request, reply) =>
      sendHtml(reply, await route.show(contextOf(request, deps.cells), readVisit(request, takesFields))),
    errorHandler: (error, request, reply) => {
      const visit = { ...bareVisit(request), query: readableQuery(request) };
      void sendHtml(reply, route.fail(knownError(error, request), visit, request.caller?.project));
    },
  });
}

function readVisit(request: FastifyRequest, takesFields: boolean): PageVisit {
  // Only the parser of forms makes a Map: a body of JSON does not pass for a form.
  if (takesFields && !(request.body instanceof Map))
    throw invalidBody('The body is not a form of this page.');
  return {
    ...bareVisit(request),
    query: readFields(queryOf(request)),
    fields: takesFields ? (request.body as PageFields) : noFields(),
  };
}

function bareVisit(request: FastifyRequest): PageVisit {
  return {
    path: request.url.split('?', 1)[0]!,
    query: noFields(),
    fields: noFields(),
    languages: request.headers['accept-language'] ?? '',
    requestId: request.id,
  };
}

/** The parameters of a call that has failed already, for its language: perhaps by these very parameters. */
function readableQuery(request: FastifyRequest): PageFields {
  try {
    return readFields(queryOf(request));
  } catch {
    return noFields();
  }
}

function queryOf({ url }: FastifyRequest): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? '' : url.slice(queryAt + 1);
}
