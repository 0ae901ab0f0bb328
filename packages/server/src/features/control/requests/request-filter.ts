import type { Credential, KeptRequest } from './request-record.ts';

/** What is to be so of calls, whenever they came. */
export interface RequestFilter {
  readonly statusFrom?: number;
  readonly statusTo?: number;
  /** It took at least so long. */
  readonly msFrom?: number;
  /** `GET /collections/:collection` */
  readonly route?: string;
  readonly credential?: Credential;
  readonly notCredential?: Credential;
  readonly userId?: string;
  readonly code?: string;
}

/** Does a call that has just come pass? */
export function passes(request: KeptRequest, filter: RequestFilter): boolean {
  const { statusFrom = 0, statusTo = 999, msFrom = 0, notCredential, ...same } = filter;
  return (
    request.status >= statusFrom &&
    request.status <= statusTo &&
    request.ms >= msFrom &&
    request.credential !== notCredential &&
    (same.route ?? request.route) === request.route &&
    (same.credential ?? request.credential) === request.credential &&
    (same.userId ?? request.userId) === request.userId &&
    (same.code ?? request.code) === request.code
  );
}
