import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { AppError } from '../../platform/errors.ts';
import type { Answer } from '../../platform/http/answer.ts';
import type { RouteDescription } from '../../platform/http/openapi.ts';
import type { PageAnswer } from '../../platform/http/page.ts';
import type { PageFields } from '../../platform/http/page-forms.ts';
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

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  /** The Accept-Language header. */
  readonly languages: string;
}

/** What every use case gets: whose data, on whose behalf. */
export interface RequestContext {
  readonly project: Project;
  readonly principal: Principal;
  readonly from: CallOrigin;
  readonly db: ProjectDb;
  readonly log: Log;
}

/** A route of a project. */
export interface ProjectRoute extends RouteDescription {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: string;
  /**
   * `server`: the API key only; `user`: a signed-in app user; `credential`: either of them; `anyone`: the use case
   * decides.
   */
  readonly access: 'server' | 'user' | 'credential' | 'anyone';
  /** For batches: a larger body. */
  readonly isBatch?: boolean;
  /** A call without a body is taken as one with an empty object. */
  readonly isBodyOptional?: boolean;
  /** Reads a multipart body, where the route takes one: files are stored, but count only once the handler records them. */
  readonly readForm?: (context: RequestContext, form: IncomingForm) => Promise<FilledForm>;
  /**
   * Slow work that needs no transaction, done before the handler, which finds its result in `input.prepared`: with an
   * Idempotency-Key the handler holds a database connection from its first moment on.
   */
  readonly prepare?: (context: RequestContext, input: RouteInput) => Promise<unknown>;
  /**
   * What `prepare` uses up, such as a challenge, would not be found by a repeated call: it is not prepared again, only
   * answered again. For bodies that nobody can guess: a wrong one costs nothing here.
   */
  readonly usesUp?: boolean;
  /** Answers a repeated call from what the first one kept; without it the first answer itself is kept. */
  readonly replay?: (context: RequestContext, kept: string) => Promise<Answer>;
}

/** A multipart body that is still to be read. */
export interface IncomingForm {
  readonly payload: Readable;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
}

/** A multipart body that was read. */
export interface FilledForm {
  /** What a JSON body would have held, the addresses of the files in it. */
  readonly body: unknown;
  /** Tells what was sent from anything else. */
  readonly digest: string;
  /** Removes what the handler did not record. */
  discard(): Promise<void>;
}

export interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The multipart body, if there was one. */
  readonly form?: FilledForm;
  /** What the route's `prepare` gave. */
  readonly prepared?: unknown;
  readonly queryString: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A page for people, of a project: HTML instead of JSON, and forms that only it may send. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly show: (context: RequestContext, visit: PageVisit) => Promise<PageAnswer>;
  /** The page that says what went wrong; the project may not be known. */
  readonly fail: (error: AppError, visit: PageVisit, project: Project | undefined) => PageAnswer;
}

/** What a page is asked with. */
export interface PageVisit {
  /** Without the project's part, if its address has one. */
  readonly path: string;
  readonly query: PageFields;
  /** The form that was sent; empty for a GET. */
  readonly fields: PageFields;
  /** The Accept-Language header. */
  readonly languages: string;
  readonly requestId: string;
}

/** Where features register their routes; identification, limits and envelope are already taken care of. */
export interface ProjectRoutes {
  add(route: ProjectRoute, handle: (context: RequestContext, input: RouteInput) => Promise<Answer>): void;
  /** For a protocol that has its own forms of calls and answers; its body is left unread. */
  addRaw(
    route: { methods: readonly HTTPMethods[]; url: string; access: ProjectRoute['access'] },
    handle: (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): void;
  addPage(route: PageRoute): void;
}
