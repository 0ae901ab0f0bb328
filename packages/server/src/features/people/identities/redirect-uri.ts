import type { Project } from '../../../calls/index.ts';
import { redirectNotAllowed } from './errors.ts';

/** A second address in disguise: //evil.example, encoded slashes, backslashes and control characters. */
const disguised = /\/\/|%(2f|5c|[01][0-9a-f]|7f)/i;

/**
 * Whether a sign-in may lead back to an address: it must be on one of the project's origins, and written exactly as it is
 * understood (no other spelling of host, port or path), so that it means the same to us, to a provider and to a browser.
 */
export function isAllowedRedirect(
  { allowedOrigins }: Pick<Project, 'allowedOrigins'>,
  address: string,
): boolean {
  if (address.length > 2000 || address.includes('#') || !URL.canParse(address)) return false;
  const url = new URL(address);
  return (
    (url.href === address || url.href === `${address}/`) &&
    url.username === '' &&
    url.password === '' &&
    !disguised.test(url.pathname) &&
    allowedOrigins.includes(url.origin)
  );
}

export function checkRedirectUri(project: Pick<Project, 'allowedOrigins'>, address: string): string {
  if (!isAllowedRedirect(project, address)) throw redirectNotAllowed();
  return address;
}
