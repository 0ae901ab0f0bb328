import type { FastifyRequest } from 'fastify';
import type { Cells } from '../platform/db/cells.ts';
import type { CallOrigin, RequestContext } from './context.ts';

/** What a use case gets of a call that the gate has let in. */
export function contextOf(request: FastifyRequest, cells: Cells): RequestContext {
  const { project, principal } = request.caller ?? {};
  if (!project || !principal) throw new Error('A project route ran without its gate.');
  return contextFor(request, cells, { project, principal });
}

/** The same, for someone else than the gate has let in. */
export function contextFor(
  request: FastifyRequest,
  cells: Cells,
  { project, principal }: Pick<RequestContext, 'project' | 'principal'>,
): RequestContext {
  return {
    project,
    principal,
    from: originOf(request),
    db: cells.forProject(project),
    log: request.log,
    ...(principal.code && { depth: principal.code.depth }),
  };
}

/** What is kept of a header that the caller writes as it likes. */
const longestText = 300;

/** Where a call comes from. */
export function originOf({ ip, headers }: FastifyRequest): CallOrigin {
  return {
    address: ip,
    userAgent: (headers['user-agent'] ?? '').slice(0, longestText),
    languages: (headers['accept-language'] ?? '').slice(0, longestText),
  };
}
