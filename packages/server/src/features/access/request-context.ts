import type { FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import type { CallOrigin, RequestContext } from '../projects/index.ts';

/** What a use case gets of a call that the gate has let in. */
export function contextOf(request: FastifyRequest, cells: Cells): RequestContext {
  const caller = request.caller;
  if (!caller?.project) throw new Error('A project route ran without its gate.');
  return {
    project: caller.project,
    principal: caller.principal,
    from: originOf(request),
    db: cells.forProject(caller.project),
    log: request.log,
  };
}

/** What is kept of a header that the caller writes as it likes. */
const longestText = 300;

function originOf({ ip, headers }: FastifyRequest): CallOrigin {
  return {
    address: ip,
    userAgent: (headers['user-agent'] ?? '').slice(0, longestText),
    languages: (headers['accept-language'] ?? '').slice(0, longestText),
  };
}
