import type { Static, TObject, TSchema, TUndefined } from 'typebox';
import type { RouteDescription } from '../routes.ts';
import type { ManagementAnswer, ManagementContext } from './context.ts';
import type { Navigation, NavigationHandler } from './navigations.ts';

/** A route of management. Who may call it stands in the table of rights; its schemas give the handler its types. */
export interface ManagementRoute<
  Params extends TSchema = TObject,
  Body extends TSchema = TUndefined,
  Prepared = undefined,
> extends RouteDescription {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: `/management/${string}`;
  readonly params?: Params;
  readonly body?: Body;
  /** A call without a body is taken as one with an empty object. */
  readonly isBodyOptional?: boolean;
  /** It changes nothing, whatever its method. */
  readonly isRead?: boolean;
  /** Slow work, done before the transaction begins; the handler finds its result in `input.prepared`. */
  readonly prepare?: (
    context: ManagementContext,
    input: ManagementInput<Params, Body, undefined>,
  ) => Promise<Prepared>;
}

export interface ManagementInput<Params extends TSchema, Body extends TSchema, Prepared> {
  readonly params: Static<Params>;
  readonly body: Static<Body>;
  readonly prepared: Prepared;
  readonly queryString: string;
}

export type ManagementHandler<Params extends TSchema, Body extends TSchema, Prepared> = (
  context: ManagementContext,
  input: ManagementInput<Params, Body, Prepared>,
) => Promise<ManagementAnswer>;

/** A route that tells what happens, as Server-Sent Events, until its caller goes or its time is over. */
export interface ManagementStream extends Omit<RouteDescription, 'answers' | 'form'> {
  readonly url: `/management/${string}`;
  readonly params?: TObject;
  /** What it is called that is told. */
  readonly event: string;
  readonly data: TSchema;
}

/** Begins to tell. Throws where it cannot. */
export type WatchHandler = (
  context: ManagementContext,
  queryString: string,
  signal: AbortSignal,
) => Promise<AsyncIterable<object>>;

/** Where features register their routes of management; sign-in, rights and the audit log are already taken care of. */
export interface ManagementRoutes {
  add<Params extends TSchema = TObject, Body extends TSchema = TUndefined, Prepared = undefined>(
    route: ManagementRoute<Params, Body, Prepared>,
    handle: ManagementHandler<Params, Body, Prepared>,
  ): void;
  addStream(route: ManagementStream, watch: WatchHandler): void;
  addNavigation<Prepared>(route: Navigation<Prepared>, handle: NavigationHandler<Prepared>): void;
}
