import type { FastifyReply, FastifyRequest } from 'fastify';
import { guarded, reporting } from '../../platform/guarded.ts';
import { noSuchProject, notFromDashboard } from '../management/errors.ts';
import type { Right } from '../management/right.ts';
import type { Authenticator, Principal } from '../principal.ts';
import type { Project, ProjectDirectory } from '../project.ts';
import { type AccountGate, admitAccount } from './admit-account.ts';
import { isPreflight } from './check-origin.ts';
import { asOnlyReads, noSuchUser, notThroughGateway } from './errors.ts';
import { refInAddress } from './project-address.ts';

export interface GatewayDeps extends AccountGate {
  readonly projects: ProjectDirectory;
  readonly authenticator: Authenticator;
  readonly noteGatewayCall: (call: GatewayCall) => Promise<(status: number) => void>;
}

/** A call of an account to the API of a project, for the audit log. */
export interface GatewayCall {
  readonly accountId: string;
  readonly tokenId: string | undefined;
  readonly projectId: string;
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly requestId: string;
}

const reads: Right = { who: 'teammate', tokens: 'all' };
const writes: Right = { who: 'teammate', tokens: 'writing' };

/**
 * Lets a call through `/management/p/{ref}/…`: the API of the project itself, spoken with the session or token of an
 * account that works on it, so that no browser ever holds an API key.
 */
export async function admitThroughGateway(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GatewayDeps,
): Promise<{ project: Project; principal: Principal }> {
  if (isPreflight(request)) throw notFromDashboard();
  const ref = refInAddress(request.raw) ?? '';
  const { access, isPage, isSocket, mayIdentifyLater, right } = request.routeOptions.config ?? {};
  const isOfProject = access !== undefined && access !== 'open' && !right;
  const isRead = isReading(request);
  const { caller } = await admitAccount(request, reply, { right: isRead ? reads : writes, ref }, deps);
  // Pages are for people, live connections have tickets: neither comes this way.
  if (!isOfProject || isPage || isSocket || mayIdentifyLater) throw notThroughGateway();
  const project = await deps.projects.findByRef(ref);
  if (!project || !caller) throw noSuchProject(ref);
  const { id, email } = caller.account;
  const trusted: Principal = { isTrusted: true, account: { id, email, tokenId: caller.token?.id } };
  const as = request.headers['x-plinth-as'];
  if (as === undefined) return { project, principal: trusted };
  // What is about a sign-in cannot be read as somebody else: there is none.
  if (!isRead || access === 'user') throw asOnlyReads();
  const anonymous: Principal = { ...trusted, isTrusted: false };
  if (as === nobody) return { project, principal: anonymous };
  const user = await deps.authenticator.impersonate(project, String(as));
  if (!user) throw noSuchUser(String(as));
  return { project, principal: { ...anonymous, user } };
}

/** Stands in X-Plinth-As for who is not signed in. Ids of users have another form. */
const nobody = 'nobody';

/** Writes down what an account is about to change, or reads as somebody else: before it is done, and how it ended. */
export async function noteGatewayCall(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<GatewayDeps, 'noteGatewayCall'>,
): Promise<void> {
  const { project, principal } = request.caller ?? {};
  if (!project || !principal?.account) return;
  const { isTrusted, user } = principal;
  if (isReading(request) && isTrusted) return;
  const { method, routeOptions, url } = request;
  const ended = await deps.noteGatewayCall({
    accountId: principal.account.id,
    tokenId: principal.account.tokenId,
    projectId: project.id,
    action: `${method} ${routeOptions.url ?? ''}`,
    target: url.split('?', 1)[0] ?? '',
    details: isTrusted ? { fields: fieldsOf(request.body) } : { as: user?.id ?? nobody },
    address: request.ip,
    requestId: request.id,
  });
  const failed = reporting(request.log, 'the outcome of a request could not be recorded');
  reply.raw.once(
    'close',
    guarded(failed, () => ended(reply.statusCode)),
  );
}

function isReading({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.isRead === true;
}

const mostFields = 50;

/** The names of what was sent, never the values. */
function fieldsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.keys(body)
    .slice(0, mostFields)
    .map((name) => name.slice(0, 100));
}
