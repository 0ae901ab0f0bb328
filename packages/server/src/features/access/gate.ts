import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { answerPreflight, checkOrigin, isPreflight } from './check-origin.ts';
import { apiKeyRequired, credentialRequired, userRequired } from './errors.ts';
import { type Caller, type CallerServices, identifyCaller, readCredentials } from './identify-caller.ts';
import { limitRate } from './limit-rate.ts';
import { refInAddress } from './project-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route: `open` ones belong to no project. Without it (unknown paths) any caller may. */
    access?: 'open' | 'server' | 'user' | 'credential' | 'anyone';
  }
  interface FastifyRequest {
    caller?: Caller;
  }
}

export interface GateOptions extends CallerServices {
  readonly counter: WindowCounter;
  readonly ownOrigins: ReadonlySet<string>;
  readonly rootRef: string | undefined;
  readonly addressLimit: number;
}

/** What every call passes before its body is read: which project, who, from which origin, how often. */
export function addGate(app: HttpServer, options: GateOptions): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config?.access !== 'open') await admit(request, reply, options);
  });
}

async function admit(request: FastifyRequest, reply: FastifyReply, options: GateOptions): Promise<void> {
  const ref = refInAddress(request.raw);
  const limits = { address: request.ip, addressLimit: options.addressLimit };
  if (isPreflight(request)) {
    const project = ref === undefined ? undefined : await options.directory.findByRef(ref);
    await limitRate(options.counter, reply, { principal: { isTrusted: false } }, limits);
    return answerPreflight(request, reply, project, options.ownOrigins);
  }
  const access = request.routeOptions.config?.access;
  const credentials = readCredentials(request.headers);
  const isMissing =
    credentials.apiKey === undefined && credentials.token === undefined && !credentials.isMalformed;
  const caller: Caller =
    isMissing && (access === 'server' || access === 'user' || access === 'credential')
      ? { principal: { isTrusted: false }, failure: credentialRequired() }
      : await identifyCaller(options, credentials, { ref, rootRef: options.rootRef });
  const wrongOrigin = checkOrigin(request, reply, caller.project, options.ownOrigins);
  await limitRate(options.counter, reply, caller, limits);
  if (wrongOrigin) throw wrongOrigin;
  // An unknown path is answered as such whoever asks, unless the credential itself is wrong.
  if (caller.failure && !(isMissing && request.is404)) throw caller.failure;
  if (access === 'server' && !caller.principal.isTrusted) throw apiKeyRequired();
  if (access === 'user' && !caller.principal.user) throw userRequired();
  request.caller = caller;
}
