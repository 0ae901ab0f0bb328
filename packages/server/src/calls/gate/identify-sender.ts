import type { FastifyRequest } from 'fastify';
import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import { checkKey, type KeyPolicy } from './check-key.ts';
import { type Caller, type CallerDeps, type Credentials, identifyCaller } from './identify-caller.ts';
import { refInAddress } from './project-address.ts';

export interface IdentifyDeps extends CallerDeps, KeyPolicy {
  readonly rootRef: string | undefined;
}

/** Who sends these credentials with this request, and for which project. */
export function identifySender(
  deps: IdentifyDeps,
  credentials: Credentials,
  request: FastifyRequest,
): NowOrLater<Caller> {
  const address = { ref: refInAddress(request.raw), rootRef: deps.rootRef };
  return andThen(identifyCaller(deps, credentials, address), (caller) => checkKey(caller, request, deps));
}
