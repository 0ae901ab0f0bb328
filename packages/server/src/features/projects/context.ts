import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Answer } from '../../platform/http/answer.ts';
import type { RouteDescription } from '../../platform/http/openapi.ts';
import type { Log } from '../../platform/log.ts';
import type { Project } from './project.ts';

/** Who makes a call. The API key makes it trusted: rules are skipped. A token says which app user acts. */
export interface Principal {
  readonly isTrusted: boolean;
  readonly user?: SignedInUser;
}

/** The app user behind a token, as the record is now. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The sign-in that the token belongs to. */
  readonly sessionId: string;
}

/** What every use case gets: whose data, on whose behalf. */
export interface RequestContext {
  readonly project: Project;
  readonly principal: Principal;
  readonly db: ProjectDb;
  readonly log: Log;
}

/** A route of a project. */
export interface ProjectRoute extends RouteDescription {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: string;
  /** `server`: the API key only; `user`: a signed-in app user; `anyone`: the use case decides. */
  readonly access: 'server' | 'user' | 'anyone';
  /** For batches: a larger body. */
  readonly isBatch?: boolean;
  /**
   * Slow work that needs no transaction, done before the handler, which finds its result in `input.prepared`: with an
   * Idempotency-Key the handler holds a database connection from its first moment on.
   */
  readonly prepare?: (context: RequestContext, input: RouteInput) => Promise<unknown>;
  /** Answers a repeated call from what the first one kept; without it the first answer itself is kept. */
  readonly replay?: (context: RequestContext, kept: string) => Promise<Answer>;
}

export interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** What the route's `prepare` gave. */
  readonly prepared?: unknown;
  readonly queryString: string;
  /** Where the call comes from. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Where features register their routes; identification, limits and envelope are already taken care of. */
export interface ProjectRoutes {
  add(route: ProjectRoute, handle: (context: RequestContext, input: RouteInput) => Promise<Answer>): void;
}
