import type { FastifyReply, FastifyRequest } from 'fastify';
import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { noteProject } from '../finished-calls.ts';
import { notFromDashboard } from '../management/errors.ts';
import type { Right } from '../management/right.ts';
import type { ProjectDirectory } from '../project.ts';
import { needsOfCall, requireScope } from '../scopes/index.ts';
import { type AdmittedAccount, admitAccount } from './admit-account.ts';
import { answerPreflight, checkOrigin, isPreflight } from './check-origin.ts';
import { apiKeyRequired, credentialRequired, noWebSocket, userRequired } from './errors.ts';
import { admitThroughGateway, type GatewayDeps, noteGatewayCall } from './gateway.ts';
import { type Caller, readCredentials } from './identify-caller.ts';
import { type IdentifyDeps, identifySender } from './identify-sender.ts';
import { countIn, limitRate, refusePast } from './limit-rate.ts';
import { refInAddress } from './project-address.ts';
import { addressBucket, type From, filesBucket } from './shares.ts';

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
  app.addHook(
    'onRequest',
    nowOrLater((request, reply) => {
      const { isSocket } = request.routeOptions.config ?? {};
      return andThen(letIn(request, reply, options), () => {
        if (request.ws && !isSocket) throw noWebSocket();
      });
    }),
  );
  app.addHook(
    'preHandler',
    nowOrLater((request, reply) => {
      const { caller } = request;
      const isTrusted = !caller?.principal.user || performance.now() - caller.admittedAt < trustedForMs;
      if (request.raw.isThroughGateway || !isTrusted) return checkAgain(request, reply, options);
    }),
  );
}

/** A hook that is called back at once where nothing has to be waited for. */
function nowOrLater(work: (request: FastifyRequest, reply: FastifyReply) => NowOrLater<void>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): NowOrLater<void> => {
    const working = work(request, reply);
    // Fastify goes on when a promise is settled.
    if (working instanceof Promise) return working;
    done();
  };
}

function letIn(request: FastifyRequest, reply: FastifyReply, options: GateOptions): NowOrLater<void> {
  const { access, right } = request.routeOptions.config ?? {};
  if (isManagement(request) && isPreflight(request)) throw notFromDashboard();
  if (request.raw.isThroughGateway) return admitOfAccount(request, reply, options);
  if (right) return admitToManagement(request, reply, right, options);
  return access === 'open' ? countOpen(request, options) : admit(request, reply, options);
}

async function admitToManagement(
  request: FastifyRequest,
  reply: FastifyReply,
  right: Right,
  options: GateOptions,
): Promise<void> {
  request.account = await admitAccount(request, reply, { right, ref: refIn(request) }, options);
}

/** Once the body is there. */
async function checkAgain(request: FastifyRequest, reply: FastifyReply, options: GateOptions): Promise<void> {
  const { caller } = request;
  if (request.raw.isThroughGateway) await noteGatewayCall(request, reply, options);
  if (!caller?.principal.user || performance.now() - caller.admittedAt < trustedForMs) return;
  request.caller = await caller.identifyAgain();
  if (request.caller.failure) throw request.caller.failure;
  checkScopes(request, request.caller);
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
function admitted(caller: Caller, identify: () => NowOrLater<Caller>): AdmittedCaller {
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
function countOpen(
  { ip, routeOptions }: FastifyRequest,
  { counter, addressLimit, fileLimit }: GateOptions,
): NowOrLater<void> {
  const { countsAs = 'call' } = routeOptions.config;
  if (countsAs === 'nothing') return;
  const bucket = countsAs === 'file' ? filesBucket(ip, fileLimit) : addressBucket(ip, addressLimit);
  return andThen(countIn(counter, [bucket]), refusePast);
}

/** For the request log: whoever is refused may have meant the project that the address names. */
function noteCaller(
  request: FastifyRequest,
  { project, principal }: Caller,
  { projects }: GateOptions,
): NowOrLater<void> {
  if (project) request.identified = { project, principal };
  const ref = refInAddress(request.raw);
  if (!project && ref !== undefined) return noteMeant(request, projects, ref);
}

async function noteMeant(request: FastifyRequest, projects: ProjectDirectory, ref: string): Promise<void> {
  try {
    const meant = await projects.findByRef(ref);
    if (meant) noteProject(request, meant);
  } catch {
    // The call is refused for its own reason.
  }
}

async function admitPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GateOptions,
): Promise<void> {
  const ref = refInAddress(request.raw);
  const project = ref === undefined ? undefined : await options.projects.findByRef(ref);
  if (project) noteProject(request, project);
  await limitRate(options.counter, reply, nobody, limitsFor(request, options));
  return answerPreflight(request, reply, project, options.origins);
}

const nobody: Caller = { principal: { isTrusted: false } };

const limitsFor = ({ ip }: FastifyRequest, { addressLimit }: GateOptions): From => ({
  address: ip,
  addressLimit,
});

function admit(request: FastifyRequest, reply: FastifyReply, options: GateOptions): NowOrLater<void> {
  if (isPreflight(request)) return admitPreflight(request, reply, options);
  const { access } = request.routeOptions.config ?? {};
  const credentials = readCredentials(request.headers);
  const isMissing =
    credentials.apiKey === undefined &&
    credentials.token === undefined &&
    credentials.functionToken === undefined &&
    !credentials.mistake;
  const identify = () => identifySender(options, credentials, request);
  const identified: NowOrLater<Caller> =
    isMissing && (access === 'server' || access === 'user' || access === 'credential')
      ? { ...nobody, failure: credentialRequired() }
      : identify();
  return andThen(identified, (caller) =>
    andThen(noteCaller(request, caller, options), () => {
      const isPage = request.routeOptions.config?.isPage;
      const wrongOrigin = isPage ? undefined : checkOrigin(request, reply, caller.project, options.origins);
      return andThen(limitRate(options.counter, reply, caller, limitsFor(request, options)), () => {
        if (wrongOrigin) throw wrongOrigin;
        requireAccess(request, caller, isMissing);
        request.caller = admitted(caller, identify);
      });
    }),
  );
}

/** May this caller call the route? */
function requireAccess(request: FastifyRequest, caller: Caller, isMissing: boolean): void {
  const { access, mayIdentifyLater = false } = request.routeOptions.config ?? {};
  // An unknown path is answered as such whoever asks, unless the credential itself is wrong.
  if (caller.failure && !(isMissing && (request.is404 || mayIdentifyLater))) throw caller.failure;
  checkScopes(request, caller);
  if (access === 'server' && !caller.principal.isTrusted) throw apiKeyRequired();
  if (access === 'user' && !caller.principal.user) throw userRequired();
}

/** A key with scopes does only what these say. An unknown path is answered as such. */
function checkScopes({ is404, routeOptions, params }: FastifyRequest, { principal }: Caller): void {
  if (!principal.key || is404) return;
  const { needs } = routeOptions.config;
  if (!needs) throw new Error(`${routeOptions.url} does not say which scope it needs.`);
  // Routes take their parameters from the path, where all of them are text.
  requireScope(principal, ...needsOfCall(needs, params as Record<string, string | undefined>));
}
