import type { FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import { knownError } from '../../platform/http/error-handler.ts';
import { invalidBody } from '../../platform/http/errors.ts';
import { sendPage } from '../../platform/http/page.ts';
import { type PageFields, pageFormLimit, readFields } from '../../platform/http/page-forms.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { PageRoute, PageVisit } from '../projects/index.ts';
import { checkFormOrigin, type OwnOrigins } from './check-form-origin.ts';
import { contextOf } from './request-context.ts';

export interface PageServices extends OwnOrigins {
  readonly cells: Cells;
}

const nothing: PageFields = new Map();

/** Registers a page. Whatever goes wrong with it, at the gate too, is told by a page. */
export function addPage(app: HttpServer, route: PageRoute, services: PageServices): void {
  const takesFields = route.method === 'POST';
  app.route({
    method: route.method,
    url: route.url,
    config: { access: 'anyone', isPage: true, takesFields },
    bodyLimit: pageFormLimit,
    schema: { hide: true },
    ...(takesFields && {
      onRequest: async (request: FastifyRequest) => {
        checkFormOrigin(request.headers, request.caller?.project, services);
      },
    }),
    handler: async (request, reply) =>
      sendPage(reply, await route.show(contextOf(request, services.cells), readVisit(request, takesFields))),
    errorHandler: (error, request, reply) => {
      const visit = { ...bareVisit(request), query: readableQuery(request) };
      void sendPage(reply, route.fail(knownError(error, request), visit, request.caller?.project));
    },
  });
}

function readVisit(request: FastifyRequest, takesFields: boolean): PageVisit {
  // Only the parser of forms makes a Map: a body of JSON does not pass for a form.
  if (takesFields && !(request.body instanceof Map)) throw invalidBody('The body is not a form of the page.');
  return {
    ...bareVisit(request),
    query: readFields(queryOf(request)),
    fields: takesFields ? (request.body as PageFields) : nothing,
  };
}

function bareVisit(request: FastifyRequest): PageVisit {
  return {
    path: request.url.split('?', 1)[0]!,
    query: nothing,
    fields: nothing,
    languages: request.headers['accept-language'] ?? '',
    requestId: request.id,
  };
}

/** The parameters of a call that has failed already, for its language: perhaps by these very parameters. */
function readableQuery(request: FastifyRequest): PageFields {
  try {
    return readFields(queryOf(request));
  } catch {
    return nothing;
  }
}

function queryOf({ url }: FastifyRequest): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? '' : url.slice(queryAt + 1);
}
