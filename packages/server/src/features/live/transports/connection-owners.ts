import type { FastifyRequest } from 'fastify';
import {
  type Caller,
  invalidCredentials,
  originNotAllowed,
  readCredentials,
} from '../../../calls/gate/index.ts';
import { contextFor, type Principal, type Project, type RequestContext } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { isApiKey } from '../../../platform/crypto/secrets.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { authenticateSession, type Tokens } from '../../people/index.ts';
import { findServer, type TicketDeps, type TicketHolder, useTicket } from './tickets.ts';

/** On whose behalf a connection is open, and until when. */
export interface ConnectionOwner {
  readonly context: RequestContext;
  readonly expiresAtMs?: number | undefined;
  /** The account that made the ticket, if one did. */
  readonly accountId?: string;
  /** The same owner, read again; undefined if the credential is no longer valid. */
  readonly renew: () => Promise<ConnectionOwner | undefined>;
}

interface GivenCredential {
  readonly apiKey?: string;
  readonly token?: string;
}

export interface ConnectionOwnerDeps extends TicketDeps {
  readonly cells: Cells;
  readonly tokens: Tokens;
  /** Which project credentials are for, and whose they are, by the same rules as for every call. */
  readonly identify: (credentials: GivenCredential, request: FastifyRequest) => NowOrLater<Caller>;
  readonly isOriginAllowed: (origin: string, project: Project) => boolean;
}

/** Finds out who is at the other side of a connection, at its beginning and again later. */
export class ConnectionOwners {
  readonly #deps: ConnectionOwnerDeps;

  constructor(deps: ConnectionOwnerDeps) {
    this.#deps = deps;
  }

  /** The owner that the ticket stands for, once, or the caller of the request; undefined if that named no project. */
  async ofRequest(request: FastifyRequest, ticket: string | undefined): Promise<ConnectionOwner | undefined> {
    if (ticket !== undefined) return this.#ofTicket(request, ticket);
    const { project, principal } = request.caller ?? {};
    if (!project || !principal) return undefined;
    const { apiKey, token } = readCredentials(request.headers);
    const credential = { ...(apiKey !== undefined && { apiKey }), ...(token !== undefined && { token }) };
    const isGiven = apiKey !== undefined || token !== undefined;
    return this.#ofCaller(request, { project, principal }, isGiven ? credential : undefined);
  }

  /** The owner of a key or token that came in a message; fails if it is nobody's, or may not be used here. */
  async ofToken(request: FastifyRequest, text: string): Promise<ConnectionOwner> {
    const credential = isApiKey(text) ? { apiKey: text } : { token: text };
    const caller = await this.#deps.identify(credential, request);
    const { failure, project, principal } = caller;
    if (failure || !project) throw failure ?? invalidCredentials();
    request.identified = { project, principal };
    this.#checkOrigin(request, project);
    return this.#ofCaller(request, { project, principal }, credential);
  }

  async #ofTicket(request: FastifyRequest, ticket: string): Promise<ConnectionOwner> {
    const { cells } = this.#deps;
    const holder = await useTicket({ ...this.#deps, dbOf: (project) => cells.forProject(project) }, ticket);
    if (!holder) throw invalidCredentials();
    const { accountId } = holder.server;
    // For the request log: what comes of a ticket is its maker's.
    request.identified = {
      project: holder.project,
      principal: { ...holder.principal, ...(accountId !== null && { account: { id: accountId } }) },
    };
    this.#checkOrigin(request, holder.project);
    const context = contextFor(request, cells, holder);
    const owner = (now: Pick<RequestContext, 'project' | 'principal'>): ConnectionOwner => ({
      context: { ...context, ...now },
      ...(accountId !== null && { accountId }),
      expiresAtMs: endOf(now.principal, holder.expiresAtMs),
      renew: async () => {
        const again = await this.#renewHolder(holder);
        return again && owner(again);
      },
    });
    return owner(context);
  }

  async #renewHolder({
    project: known,
    principal: { user: knownUser },
    server: proof,
  }: TicketHolder): Promise<Pick<RequestContext, 'project' | 'principal'> | undefined> {
    const { cells, directory } = this.#deps;
    const project = await directory.findByRef(known.ref);
    const server = await findServer(this.#deps, known, proof);
    if (!project || !server) return undefined;
    if (!knownUser) return { project: known, principal: server };
    const { id: userId, sessionId } = knownUser;
    const user = await authenticateSession(cells.forProject(project), { userId, sessionId });
    return user && { project, principal: { ...server, user } };
  }

  async #ofCaller(
    request: FastifyRequest,
    caller: Pick<RequestContext, 'project' | 'principal'>,
    credential: GivenCredential | undefined,
  ): Promise<ConnectionOwner> {
    const { cells, tokens, identify, directory } = this.#deps;
    const context = contextFor(request, cells, caller);
    const content = credential?.token === undefined ? undefined : await tokens.verify(credential.token);
    const renew = async (): Promise<ConnectionOwner | undefined> => {
      if (!credential) {
        const project = await directory.findByRef(context.project.ref);
        return project && { context: { ...context, project }, renew };
      }
      const again = await identify(credential, request);
      const { failure, project, principal } = again;
      return failure || !project ? undefined : this.#ofCaller(request, { project, principal }, credential);
    };
    return { context, expiresAtMs: endOf(caller.principal, content?.expiresAtMs), renew };
  }

  #checkOrigin({ headers }: FastifyRequest, project: Project): void {
    const { origin } = headers;
    if (origin !== undefined && !this.#deps.isOriginAllowed(origin, project)) throw originNotAllowed(origin);
  }
}

/** When the first of the credentials expires; undefined: none does. */
function endOf({ key }: Principal, tokenExpiresAtMs: number | undefined): number | undefined {
  const ends = [tokenExpiresAtMs, key?.expiresAt?.getTime()].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends);
}
