import type { AppError } from '../../platform/errors.ts';
import type { HtmlPage } from '../../platform/http/html-page.ts';
import type { RouteDescription } from '../routes.ts';
import type { AuditNote, ManagementContext } from './context.ts';

/**
 * A route that a browser goes to in its window, and that leads it on elsewhere. It cannot carry the dashboard's header: what
 * it may do has to be proven by other means, and `navigation` of its right says where it may be come from.
 */
export interface Navigation<Prepared> extends Omit<RouteDescription, 'answers' | 'form' | 'failures'> {
  readonly url: `/management/${string}`;
  /** It changes something, which the audit log is told of. */
  readonly isChange?: boolean;
  /** Slow work, done before the transaction begins. */
  readonly prepare: (context: ManagementContext, visit: Visit) => Promise<Prepared>;
  /** What a person sees who cannot be led on. Programs get the error itself. */
  readonly showProblem: (error: AppError) => HtmlPage;
}

/** What a browser sends when it goes somewhere. */
export interface Visit {
  readonly queryString: string;
  readonly cookies: string | undefined;
}

/** Where a browser goes next. The address is never made of what a request says about this server. */
export interface NavigationAnswer {
  readonly redirect: string;
  readonly cookies: readonly string[];
  readonly audit?: AuditNote;
}

export type NavigationHandler<Prepared> = (
  context: ManagementContext,
  prepared: Prepared,
) => Promise<NavigationAnswer>;
