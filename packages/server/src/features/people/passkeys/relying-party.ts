import { type RequestContext, type RouteInput } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { passkeyDomainUnknown } from './errors.ts';

/** Whom a passkey is for: the page that asks for it, and the domain that it is bound to. */
export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/**
 * The page that calls. The gate has let no origin in but those of the project and the service's own; a native app sends
 * none, and speaks for the app's own site.
 */
export function relyingPartyOf(
  { project }: Pick<RequestContext, 'project'>,
  { headers }: Pick<RouteInput, 'headers'>,
): RelyingParty {
  const address = headers.origin ?? configOf(project).FRONTEND_URL;
  if (typeof address !== 'string') throw passkeyDomainUnknown();
  const { origin, hostname } = new URL(address);
  return { origin, rpId: hostname };
}
