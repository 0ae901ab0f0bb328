import type { IncomingHttpHeaders } from 'node:http';
import type { Project } from '../project.ts';
import { formFromElsewhere } from './errors.ts';

export interface OwnOrigins {
  readonly ownOrigins: ReadonlySet<string>;
  /** The domain whose sub-domains are projects. */
  readonly apiDomain: string | undefined;
}

/**
 * Lets a form in only if a page of this server has sent it: not even the project's own origins may, which could sign a
 * visitor in as somebody else. Browsers say it themselves; older ones at least name the origin.
 */
export function checkFormOrigin(
  headers: IncomingHttpHeaders,
  project: Project | undefined,
  own: OwnOrigins,
): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site === undefined && isOwn(headers.origin, project, own)) return;
  throw formFromElsewhere();
}

function isOwn(
  origin: string | undefined,
  project: Project | undefined,
  { ownOrigins, apiDomain }: OwnOrigins,
): boolean {
  if (origin === undefined) return false;
  const ofProject = project && apiDomain && `https://${project.ref}.${apiDomain}`;
  return origin === ofProject || ownOrigins.has(origin);
}
