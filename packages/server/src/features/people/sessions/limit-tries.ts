import type { RequestContext } from '../../../calls/index.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import type { SessionDeps } from './deps.ts';
import { countersAway, tooManyTries } from './errors.ts';

export type TryLimits = Pick<SessionDeps, 'counter' | 'limits'>;

/**
 * Bounds how often passwords and codes can be tried and mails caused: per network address, and per user whatever the
 * address. Behind the address of a server that calls with the API key are all its users: it is not counted. These limits
 * fail closed: while the counters cannot be reached, so does the call.
 */
export async function limitTries(
  deps: TryLimits,
  { project, principal, from }: Pick<RequestContext, 'project' | 'principal' | 'from'>,
  user?: string,
): Promise<void> {
  await countTries(deps, {
    address: principal.isTrusted ? undefined : from.address,
    whose: user === undefined ? undefined : `${project.id}:${user}`,
  });
}

/** Counts a try for an address, and for whoever it is about. */
export async function countTries(
  { counter, limits }: TryLimits,
  { address, whose }: { address: string | undefined; whose: string | undefined },
): Promise<void> {
  const counts = [
    ...(address === undefined
      ? []
      : [
          counter
            .hitStrictly(`auth-address:${networkOf(address)}`)
            .then((count) => isOver(count, limits.addressPerMinute)),
        ]),
    ...(whose === undefined
      ? []
      : [counter.hitStrictly(`auth-account:${whose}`).then((count) => isOver(count, limits.userPerMinute))]),
  ];
  if (!(await Promise.all(counts)).includes(true)) return;
  throw tooManyTries(Math.max(1, Math.ceil(counter.window().leftMs / 1000)));
}

function isOver(count: number | undefined, limit: number): boolean {
  if (count === undefined) throw countersAway();
  return count > limit;
}
