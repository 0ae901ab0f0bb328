import { type CookieKind, cookieIn, writeCookie } from './cookies.ts';

const kind: CookieKind = {
  secureName: '__Host-plinth',
  plainName: 'plinth-dev',
  keptForS: 30 * 24 * 3600,
  sameSite: 'Strict',
};

/** What a browser shows for its session. Over https the name counts that no other host can set. */
export function sessionInCookies(cookies: string | undefined, isPlain: boolean): string | undefined {
  return cookieIn(cookies, [isPlain ? kind.plainName : kind.secureName], /^[\w-]{43}$/);
}

/** Only calls of the dashboard itself carry it: no other site, no script. */
export function sessionCookie(token: string, isPlain: boolean): string {
  return writeCookie(kind, token, isPlain);
}

export const noSessionCookie = (isPlain: boolean): string => writeCookie(kind, '', isPlain);
