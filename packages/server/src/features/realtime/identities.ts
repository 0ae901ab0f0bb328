import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import { isApiKey } from '../../platform/secrets.ts';
import {
  type Caller,
  contextFor,
  invalidCredentials,
  originNotAllowed,
  readCredentials,
} from '../access/index.ts';
import { authenticateSession, type Tokens } from '../app-users/index.ts';
import type { Project, ProjectDirectory } from '../projects/index.ts';
import type { Identity } from './connection.ts';
import { useTicket } from './tickets.ts';

export interface IdentityServices {
  readonly cells: Cells;
  readonly tokens: Tokens;
  readonly directory: ProjectDirectory;
  /** Which project credentials are for, and whose they are, by the same rules as for every call. */
  readonly identify: (
    credentials: { apiKey?: string; token?: string; isMalformed: boolean },
    request: IncomingMessage,
  ) => Promise<Caller>;
  readonly isOriginAllowed: (origin: string, project: Project) => boolean;
}

/** Finds out who is at the other side of a live connection, and keeps finding out. */
export class Identities {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** Whom the gate has let in with the request; undefined if that named no project. */
  async ofRequest(request: FastifyRequest): Promise<Identity | undefined> {
    if (!request.caller?.project) return undefined;
    const { apiKey, token } = readCredentials(request.headers);
    return this.#identity(
      request,
      request.caller,
      apiKey === undefined && token === undefined ? undefined : { apiKey, token },
    );
  }

  /** Whom a key or a token stands for that came in a message. */
  async ofToken(request: FastifyRequest, text: string): Promise<Identity> {
    const credential = isApiKey(text) ? { apiKey: text } : { token: text };
    const caller = await this.#services.identify({ ...credential, isMalformed: false }, request.raw);
    if (caller.failure) throw caller.failure;
    this.#checkOrigin(request, caller.project!);
    return this.#identity(request, caller, credential);
  }

  /** Whom a ticket admits, once. */
  async ofTicket(request: FastifyRequest, ticket: string): Promise<Identity> {
    const { cells, directory } = this.#services;
    const dbOf = (project: Project) => cells.forProject(project);
    const holder = await useTicket({ directory, dbOf }, ticket);
    if (!holder) throw invalidCredentials();
    const { project, principal, expiresAtMs } = holder;
    this.#checkOrigin(request, project);
    const context = contextFor(request, cells, { project, principal });
    const renew = async () => {
      const found = await directory.findByRef(project.ref);
      if (!found || (principal.isTrusted && !found.apiKeyHash.equals(project.apiKeyHash))) return undefined;
      if (!principal.user) return { context, expiresAtMs, renew };
      const user = await authenticateSession(dbOf(found), {
        userId: principal.user.id,
        sessionId: principal.user.sessionId,
      });
      return (
        user && {
          context: { ...context, project: found, principal: { ...principal, user } },
          expiresAtMs,
          renew,
        }
      );
    };
    return { context, expiresAtMs, renew };
  }

  async #identity(
    request: FastifyRequest,
    caller: Pick<Caller, 'project' | 'principal'>,
    credential: { apiKey?: string | undefined; token?: string | undefined } | undefined,
  ): Promise<Identity> {
    const { cells, tokens, identify, directory } = this.#services;
    const context = contextFor(request, cells, { project: caller.project!, principal: caller.principal });
    const content = credential?.token === undefined ? undefined : await tokens.verify(credential.token);
    const renew = async (): Promise<Identity | undefined> => {
      if (!credential) {
        const project = await directory.findByRef(context.project.ref);
        return project && { context: { ...context, project }, renew };
      }
      const again = await identify({ ...given(credential), isMalformed: false }, request.raw);
      return again.failure ? undefined : this.#identity(request, again, credential);
    };
    return { context, expiresAtMs: content?.expiresAtMs, renew };
  }

  #checkOrigin({ headers }: FastifyRequest, project: Project): void {
    const { origin } = headers;
    if (origin !== undefined && !this.#services.isOriginAllowed(origin, project))
      throw originNotAllowed(origin);
  }
}

function given({ apiKey, token }: { apiKey?: string | undefined; token?: string | undefined }) {
  return { ...(apiKey !== undefined && { apiKey }), ...(token !== undefined && { token }) };
}
