import type { IncomingHttpHeaders } from 'node:http';
import type { Project } from '../project.ts';
import type { ScopedKey } from '../scoped-key.ts';
import type { OriginPolicy } from './check-origin.ts';
import { addressNotAllowed, apiKeyExpired, keyInBrowser } from './errors.ts';
import type { Caller } from './identify-caller.ts';

/** A call with an API key. */
export interface KeyUse {
  readonly project: Project;
  /** Absent: it was the key that may do everything. */
  readonly key?: ScopedKey;
  /** Did the page of an app send it? */
  readonly isInBrowser: boolean;
}

export interface KeyPolicy {
  readonly origins: OriginPolicy;
  /** Hears of every call that an API key was good for. */
  readonly onKeyUse: (use: KeyUse) => void;
}

interface KeySender {
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

/** An API key must be good now, and from where it comes. */
export function checkKey(caller: Caller, from: KeySender, { origins, onKeyUse }: KeyPolicy): Caller {
  const { project, principal, failure } = caller;
  if (failure || !project || !principal.isTrusted || principal.code) return caller;
  const { key } = principal;
  const isInBrowser = comesFromPage(from, origins);
  const refusal =
    key?.expiresAt && key.expiresAt.getTime() <= Date.now()
      ? apiKeyExpired(key.expiresAt)
      : key?.addresses && !key.addresses.has(from.ip)
        ? addressNotAllowed(from.ip)
        : isInBrowser && project.settings.refuseBrowserKeys
          ? keyInBrowser()
          : undefined;
  if (!refusal || isInBrowser) onKeyUse({ project, ...(key && { key }), isInBrowser });
  return refusal ? { project, principal: { isTrusted: false }, failure: refusal } : caller;
}

/** Browsers name the page that a call comes from. The service’s own pages may hold a key: its reader typed it in. */
function comesFromPage({ headers }: KeySender, { own }: OriginPolicy): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return origin !== undefined && site !== 'same-origin' && !own.has(origin);
}
