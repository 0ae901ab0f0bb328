import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TObject, TProperties, TSchema, TUndefined } from 'typebox';
import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Operation } from '../platform/http/openapi/index.ts';
import type { Answer } from './answer.ts';
import type { RequestContext } from './context.ts';
import type { PageRoute } from './pages.ts';
import type { TakenHeader, TakenHeaders } from './request-headers.ts';
import type { RouteScope } from './scopes/index.ts';
import type { CallGuards } from './write-guards.ts';

/** Who may call a route. `server`: the API key only; `user`: a signed-in app user; `credential`: either of them;
 * `anyone`: the use case decides. */
type Access = 'server' | 'user' | 'credential' | 'anyone';

/** What the documentation says of a route, beyond what the service itself goes by. */
export interface RouteDescription {
  readonly tag: string;
  readonly operationId: string;
  /** What to do with it, in a line: `Read a document`. */
  readonly summary: string;
  /** What else one has to know to use it. */
  readonly description: string;
  /** Handlers read the query string themselves. */
  readonly query?: readonly QueryParameter[];
  /** The parts of a multipart body: whoever reads the form checks it. */
  readonly form?: TSchema;
  readonly answers: {
    readonly status: 200 | 201;
    /** What `data` holds in a successful answer. */
    readonly data: TSchema;
    /** What else stands beside `data`. */
    readonly beside?: TProperties;
    /** It is a list: the figures of its page stand beside `data`. */
    readonly list?: boolean;
    /** The header `ETag` has the version of the document. */
    readonly hasVersion?: boolean;
    /** With `Prefer: versions`, those of the documents are told too. */
    readonly hasVersions?: boolean;
  };
  /** Statuses of failure beyond those every route can answer with. */
  readonly failures?: readonly (400 | 404 | 413)[];
}

export interface QueryParameter {
  readonly name: string;
  /** It says what the parameter is for. */
  readonly schema: TSchema;
  readonly isRequired?: boolean;
}

/**
 * A route of a project. Its schemas validate what is sent, and give the handler its types: nothing has to be cast.
 */
export interface ProjectRoute<
  Params extends TSchema = TObject,
  Body extends TSchema = TUndefined,
  Form extends FilledForm = FilledForm,
  Prepared = undefined,
  Guarded = undefined,
> extends RouteDescription {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly access: Access;
  /** What a key with scopes needs: to read it, or to write where the route does more than reading. */
  readonly scope: RouteScope;
  readonly params?: Params;
  readonly body?: Body;
  /** Headers that the handler reads; it gets no others. */
  readonly headers?: readonly TakenHeader[];
  /** The answer holds tokens or other secrets: nobody on its way may keep it. */
  readonly isSecret?: boolean;
  /** For batches: a larger body, which is one list. Refuses more items than a call may have. */
  readonly checkItems?: (count: number) => void;
  /** Refuses a call before its body travels. */
  readonly beforeBody?: (context: RequestContext, params: Readonly<Record<string, string>>) => Promise<void>;
  /** A larger JSON body than other calls may have: so many bytes at most, and projects take turns with it. */
  readonly largestBody?: number;
  /** The body is text, not JSON: so many bytes at most. */
  readonly takesText?: number;
  /** It changes nothing, whatever its method. */
  readonly isRead?: boolean;
  /** A call without a body is taken as one with an empty object. */
  readonly isBodyOptional?: boolean;
  /** Reads a multipart body, where the route takes one: files are stored, but count only once the handler records them. */
  readonly readForm?: (context: RequestContext, form: IncomingForm) => Promise<Form>;
  /**
   * Slow work that needs no transaction, done before the handler, which finds its result in `input.prepared`: with an
   * Idempotency-Key the handler holds a database connection from its first moment on.
   */
  readonly prepare?: (
    context: RequestContext,
    input: RouteInput<Params, Body, Form, undefined, undefined>,
  ) => Promise<Prepared>;
  /**
   * What `prepare` uses up, such as a challenge, would not be found by a repeated call: it is not prepared again, only
   * answered again. For bodies that nobody can guess: a wrong one costs nothing here.
   */
  readonly usesUp?: boolean;
  /**
   * Asks the code of the project, where it has any that is asked before something: after `prepare`, and like it outside
   * any transaction. The handler finds the result in `input.guarded`. A repeated call is answered without asking again.
   */
  readonly guard?: (
    context: RequestContext,
    input: RouteInput<Params, Body, Form, Prepared, undefined>,
    guards: CallGuards,
  ) => Promise<Guarded>;
  /** The handler claims the key of `context.claim` in the statement that does its work, if there is one. */
  readonly claimsKey?: boolean;
  /** Answers a repeated call from what the first one kept; without it the first answer itself is kept. */
  readonly replay?: (context: RequestContext, kept: string) => Promise<Answer>;
}

/** Does the route honour an Idempotency-Key? */
export function canRepeat({ method, isRead }: Pick<ProjectRoute, 'method' | 'isRead'>): boolean {
  return method !== 'GET' && !isRead;
}

/** Describes routes that have much in common; each may say otherwise. */
export function routeGroup<Shared extends Partial<ProjectRoute> & { readonly url: string }>(shared: Shared) {
  return <
    Params extends TSchema = TObject,
    Body extends TSchema = TUndefined,
    Form extends FilledForm = FilledForm,
    Prepared = undefined,
    Guarded = undefined,
  >(
    path: string,
    route: Partial<ProjectRoute<Params, Body, Form, Prepared, Guarded>> &
      Omit<ProjectRoute<Params, Body, Form, Prepared, Guarded>, keyof Shared | 'url'>,
  ) => ({ ...shared, ...route, url: `${shared.url}${path}` });
}

/** What a handler gets of a call, as the route's schemas describe it. */
export interface RouteInput<
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Form extends FilledForm = FilledForm,
  Prepared = unknown,
  Guarded = unknown,
> {
  readonly params: Static<Params>;
  readonly body: Static<Body>;
  /** The multipart body, if there was one. */
  readonly form?: Form;
  /** What the route's `prepare` gave. */
  readonly prepared: Prepared;
  /** What the route's `guard` gave; undefined: the project has no code that is asked. */
  readonly guarded: Guarded | undefined;
  readonly queryString: string;
  /** Those that the route takes, by their names in lower case. */
  readonly headers: TakenHeaders;
}

export type Handler<
  Params extends TSchema,
  Body extends TSchema,
  Form extends FilledForm,
  Prepared,
  Guarded,
> = (context: RequestContext, input: RouteInput<Params, Body, Form, Prepared, Guarded>) => NowOrLater<Answer>;

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

interface RawRoute {
  readonly methods: readonly HTTPMethods[];
  readonly url: string;
  readonly access: Access;
  /** What a key with scopes needs to write. */
  readonly scope: RouteScope;
  readonly describe?: (method: string) => Operation | undefined;
}

/** Where features register their routes; identification, limits and envelope are already taken care of. */
export interface ProjectRoutes {
  add<
    Params extends TSchema = TObject,
    Body extends TSchema = TUndefined,
    Form extends FilledForm = FilledForm,
    Prepared = undefined,
    Guarded = undefined,
  >(
    route: ProjectRoute<Params, Body, Form, Prepared, Guarded>,
    handle: Handler<Params, Body, Form, Prepared, Guarded>,
  ): void;
  /** For a protocol that has its own forms of calls and answers; its body is left unread. */
  addRaw(
    route: RawRoute,
    handle: (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): void;
  addPage(route: PageRoute): void;
}
