import type { AppError } from '../platform/errors.ts';
import type { HtmlAnswer } from '../platform/http/html-page.ts';
import type { PageFields } from '../platform/http/page-forms.ts';
import type { RequestContext } from './context.ts';
import type { Project } from './project.ts';

/** A page for people, of a project: HTML instead of JSON, and forms that only it may send. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly show: (context: RequestContext, visit: PageVisit) => Promise<HtmlAnswer>;
  /** The page that says what went wrong; the project may not be known. */
  readonly fail: (error: AppError, visit: PageVisit, project: Project | undefined) => HtmlAnswer;
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
