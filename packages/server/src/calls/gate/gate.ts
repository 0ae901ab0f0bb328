import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { answerPreflight, checkOrigin, isPreflight, type OriginPolicy } from './check-origin.ts';
import { apiKeyRequired, credentialRequired, noWebSocket, userRequired } from './errors.ts';
import { type Caller, type CallerDeps, identifyCaller, readCredentials } from './identify-caller.ts';
import { countIn, limitRate, refusePast } from './limit-rate.ts';
import { refInAddress } from './project-address.ts';
import { addressBucket, filesBucket } from './shares.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route: `open` ones belong to no project. Without it (unknown paths) any caller may. */
    access?: 'open' | 'server' | 'user' | 'credential' | 'anyone';
    /** No page of another origin reads it; who may send its form is checked by the route. */
    isPage?: boolean;
    /** The caller may say later which project it means and who it is. */
    mayIdentifyLater?: boolean;
    /** It speaks WebSocket. */
    isSocket?: boolean;
    /** What a call of an open route counts as for its address; `nothing`: operators ask as often as they like. */
    countsAs?: 'call' | 'file' | 'nothing';
  }
  interface FastifyRequest {
    caller?: AdmittedCaller;
  }
}

interface AdmittedCaller extends Caller {
  readonly admittedAt: number;
  readonly identifyAgain: () => Promise<AdmittedCaller>;
}

export interface GateOptions extends CallerDeps {
  readonly counter: WindowCounter;
  readonly origins: OriginPolicy;
  readonly rootRef: string | undefined;
  readonly addressLimit: number;
  /** Files a minute to one address. */
  readonly fileLimit: number;
}

/** What every call passes before its body is read: which project, who, from which origin, how often. */
export function addGate(app: HttpServer, options: GateOptions): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { access, isSocket } = request.routeOptions.config ?? {};
    if (access === 'open') await countOpen(request, options);
    else await admit(request, reply, options);
    if (request.ws && !isSocket) throw noWebSocket();
  });
  app.addHook('preHandler', async (request) => {
    const { caller } = request;
    if (!caller?.principal.user || performance.now() - caller.admittedAt < trustedForMs) return;
    request.caller = await caller.identifyAgain();
    if (request.caller.failure) throw request.caller.failure;
  });
}

/** A body may take its time. A token that was ended meanwhile must not be good for what comes at its end. */
const trustedForMs = 1000;

/** Open routes belong to no project. What they answer may be kept by caches: the three headers are not for these. */
async function countOpen(
  { ip, routeOptions }: FastifyRequest,
  { counter, addressLimit, fileLimit }: GateOptions,
): Promise<void> {
  const { countsAs = 'call' } = routeOptions.config;
  if (countsAs === 'nothing') return;
  const bucket = countsAs === 'file' ? filesBucket(ip, fileLimit) : addressBucket(ip, addressLimit);
  refusePast(await countIn(counter, [bucket]));
}

async function admit(request: FastifyRequest, reply: FastifyReply, options: GateOptions): Promise<void> {
  const ref = refInAddress(request.raw);
  const limits = { address: request.ip, addressLimit: options.addressLimit };
  if (isPreflight(request)) {
    const project = ref === undefined ? undefined : await options.projects.findByRef(ref);
    await limitRate(options.counter, reply, { principal: { isTrusted: false } }, limits);
    return answerPreflight(request, reply, project, options.origins);
  }
  const { access, isPage, mayIdentifyLater = false } = request.routeOptions.config ?? {};
  const credentials = readCredentials(request.headers);
  const isMissing =
    credentials.apiKey === undefined && credentials.token === undefined && !credentials.mistake;
  const identify = () => identifyCaller(options, credentials, { ref, rootRef: options.rootRef });
  const caller: Caller =
    isMissing && (access === 'server' || access === 'user' || access === 'credential')
      ? { principal: { isTrusted: false }, failure: credentialRequired() }
      : await identify();
  const wrongOrigin = isPage ? undefined : checkOrigin(request, reply, caller.project, options.origins);
  await limitRate(options.counter, reply, caller, limits);
  if (wrongOrigin) throw wrongOrigin;
  // An unknown path is answered as such whoever asks, unless the credential itself is wrong.
  if (caller.failure && !(isMissing && (request.is404 || mayIdentifyLater))) throw caller.failure;
  if (access === 'server' && !caller.principal.isTrusted) throw apiKeyRequired();
  if (access === 'user' && !caller.principal.user) throw userRequired();
  const stamp = (known: Caller): AdmittedCaller => ({
    ...known,
    admittedAt: performance.now(),
    identifyAgain: async () => stamp(await identify()),
  });
  request.caller = stamp(caller);
}
