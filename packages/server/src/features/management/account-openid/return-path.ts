import { invalidQuery } from '../../../calls/index.ts';

const longest = 1000;

/** The page of the dashboard that a sign-in leads to: a path, so that it cannot be one of another site. */
export function readReturnPath(given: string | null, dashboard: string): string {
  if (given === null) return '/';
  const refused = invalidQuery('to', 'It must be a path of the dashboard, such as /projects.');
  // Browsers take a backslash for a slash, and leave out line breaks: neither is in a path.
  const isPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given) && given.length <= longest;
  const url = isPath ? URL.parse(given, dashboard) : null;
  if (!url || url.origin !== new URL(dashboard).origin || url.pathname.startsWith('//')) throw refused;
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (path.length > longest) throw refused;
  return path;
}
