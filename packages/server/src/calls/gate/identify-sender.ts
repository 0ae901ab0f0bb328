import type { FastifyRequest } from 'fastify';
import { checkKey, type KeyPolicy } from './check-key.ts';
import { type Caller, type CallerDeps, type Credentials, identifyCaller } from './identify-caller.ts';
import { refInAddress } from './project-address.ts';

export interface IdentifyDeps extends CallerDeps, KeyPolicy {
  readonly rootRef: string | undefined;
}

/** Who sends these credentials with this request, and for which project. */
export async function identifySender(
  deps: IdentifyDeps,
  credentials: Credentials,
  request: FastifyRequest,
): Promise<Caller> {
  const address = { ref: refInAddress(request.raw), rootRef: deps.rootRef };
  return checkKey(await identifyCaller(deps, credentials, address), request, deps);
}
