import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Answer } from '../../platform/http/answer.ts';
import type { RouteDescription } from '../../platform/http/openapi.ts';
import type { Log } from '../../platform/log.ts';
import type { Project } from './project.ts';

/** Who makes a call. `server` holds the API key and may do everything in its project. */
export type Principal = { readonly kind: 'server' } | { readonly kind: 'anonymous' };

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
  /** `server`: the API key only. */
  readonly access: 'server';
  /** For batches: a larger body. */
  readonly isBatch?: boolean;
}

export interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly queryString: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Where features register their routes; identification, limits and envelope are already taken care of. */
export interface ProjectRoutes {
  add(route: ProjectRoute, handle: (context: RequestContext, input: RouteInput) => Promise<Answer>): void;
}
