import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { noteProject } from '../finished-calls.ts';
import { notFromDashboard } from '../management/errors.ts';
import type { Right } from '../management/right.ts';
import { needsOfCall, requireScope } from '../scopes/index.ts';
import { type AdmittedAccount, admitAccount } from './admit-account.ts';
import { answerPreflight, checkOrigin, isPreflight } from './check-origin.ts';
import { apiKeyRequired, credentialRequired, noWebSocket, userRequired } from './errors.ts';
import { admitThroughGateway, type GatewayDeps, noteGatewayCall } from './gateway.ts';
import { type Caller, readCredentials } from './identify-caller.ts';
import { type IdentifyDeps, identifySender } from './identify-sender.ts';
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
    /** It is a route of management: who may call it. */
    right?: Right;
  }
  interface FastifyRequest {
    caller?: AdmittedCaller;
    /** Who calls a route of management. */
    account?: AdmittedAccount;
  }
}

interface AdmittedCaller extends Caller {
  readonly admittedAt: number;
  readonly identifyAgain: () => Promise<AdmittedCaller>;
}

export interface GateOptions extends IdentifyDeps, GatewayDeps {
  readonly counter: WindowCounter;
  readonly addressLimit: number;
  /** Files a minute to one address. */
  readonly fileLimit: number;
}

/** What every call passes before its body is read: which project, who, from which origin, how often. */
export function addGate(app: HttpServer, options: GateOptions): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('account', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { access, isSocket, right } = request.routeOptions.config ?? {};
    if (isManagement(request) && isPreflight(request)) throw notFromDashboard();
    if (request.raw.isThroughGateway) await admitOfAccount(request, reply, options);
    else if (right)
      request.account = await admitAccount(request, reply, { right, ref: refIn(request) }, options);
    else if (access === 'open') await countOpen(request, options);
    else await admit(request, reply, options);
    if (request.ws && !isSocket) throw noWebSocket();
  });
  app.addHook('preHandler', async (request, reply) => {
    const { caller } = request;
    if (request.raw.isThroughGateway) await noteGatewayCall(request, reply, options);
    if (!caller?.principal.user || performance.now() - caller.admittedAt < trustedForMs) return;
    request.caller = await caller.identifyAgain();
    if (request.caller.failure) throw request.caller.failure;
    checkScopes(request, request.caller);
  });
}

/** A call of an account to the API of a project. */
async function admitOfAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GateOptions,
): Promise<void> {
  const identify = () => admitThroughGateway(request, reply, options);
  const caller = await identify();
  request.identified = caller;
  const { access } = request.routeOptions.config;
  const { isTrusted, user } = caller.principal;
  if (access === 'credential' && !isTrusted && !user) throw credentialRequired();
  if (access === 'server' && !isTrusted) throw apiKeyRequired();
  if (access === 'user') throw userRequired();
  request.caller = admitted(caller, identify);
}

/** Who was let in, when, and how to find out whether that still holds. */
function admitted(caller: Caller, identify: () => Promise<Caller>): AdmittedCaller {
  return {
    ...caller,
    admittedAt: performance.now(),
    identifyAgain: async () => admitted(await identify(), identify),
  };
}

const isManagement = ({ url }: FastifyRequest): boolean => url.startsWith('/management/');

/** The project that the address of a call of management names. */
function refIn({ params }: FastifyRequest): string | undefined {
  return typeof params === 'object' && params !== null && 'ref' in params ? String(params.ref) : undefined;
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

/** For the request log: whoever is refused may have meant the project that the address names. */
async function noteCaller(
  request: FastifyRequest,
  { project, principal }: Caller,
  { projects }: GateOptions,
): Promise<void> {
  if (project) request.identified = { project, principal };
  const ref = refInAddress(request.raw);
  if (project || ref === undefined) return;
  const meant = await projects.findByRef(ref).catch(() => undefined);
  if (meant) noteProject(request, meant);
}

async function admit(request: FastifyRequest, reply: FastifyReply, options: GateOptions): Promise<void> {
  const ref = refInAddress(request.raw);
  const limits = { address: request.ip, addressLimit: options.addressLimit };
  if (isPreflight(request)) {
    const project = ref === undefined ? undefined : await options.projects.findByRef(ref);
    if (project) noteProject(request, project);
    await limitRate(options.counter, reply, { principal: { isTrusted: false } }, limits);
    return answerPreflight(request, reply, project, options.origins);
  }
  const { access, isPage, mayIdentifyLater = false } = request.routeOptions.config ?? {};
  const credentials = readCredentials(request.headers);
  const isMissing =
    credentials.apiKey === undefined &&
    credentials.token === undefined &&
    credentials.functionToken === undefined &&
    !credentials.mistake;
  const identify = () => identifySender(options, credentials, request);
  const caller: Caller =
    isMissing && (access === 'server' || access === 'user' || access === 'credential')
      ? { principal: { isTrusted: false }, failure: credentialRequired() }
      : await identify();
  await noteCaller(request, caller, options);
  const wrongOrigin = isPage ? undefined : checkOrigin(request, reply, caller.project, options.origins);
  await limitRate(options.counter, reply, caller, limits);
  if (wrongOrigin) throw wrongOrigin;
  // An unknown path is answered as such whoever asks, unless the credential itself is wrong.
  if (caller.failure && !(isMissing && (request.is404 || mayIdentifyLater))) throw caller.failure;
  checkScopes(request, caller);
  if (access === 'server' && !caller.principal.isTrusted) throw apiKeyRequired();
  if (access === 'user' && !caller.principal.user) throw userRequired();
  request.caller = admitted(caller, identify);
}

/** A key with scopes does only what these say. An unknown path is answered as such. */
function checkScopes({ is404, routeOptions, params }: FastifyRequest, { principal }: Caller): void {
  if (!principal.key || is404) return;
  const { needs } = routeOptions.config;
  if (!needs) throw new Error(`${routeOptions.url} does not say which scope it needs.`);
  // Routes take their parameters from the path, where all of them are text.
  requireScope(principal, ...needsOfCall(needs, params as Record<string, string | undefined>));
}
