import type { RequestContext } from '../../../calls/index.ts';
import { currentWindow } from '../../../platform/counters/window-counter.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import type { SessionDeps } from './deps.ts';
import { countersAway, tooManyTries } from './errors.ts';

/**
 * Bounds how often passwords and codes can be tried and mails caused: per network address, and per user whatever the
 * address. Behind the address of a server that calls with the API key are all its users: it is not counted. These limits
 * fail closed: while the counters cannot be reached, so does the call.
 */
export async function limitTries(
  { counter, limits }: Pick<SessionDeps, 'counter' | 'limits'>,
  { project, principal, from }: Pick<RequestContext, 'project' | 'principal' | 'from'>,
  user?: string,
): Promise<void> {
  const counts = [
    ...(principal.isTrusted
      ? []
      : [
          counter
            .hitStrictly(`auth-address:${networkOf(from.address)}`)
            .then((count) => isOver(count, limits.addressPerMinute)),
        ]),
    ...(user === undefined
      ? []
      : [
          counter
            .hitStrictly(`auth-account:${project.id}:${user}`)
            .then((count) => isOver(count, limits.userPerMinute)),
        ]),
  ];
  if (!(await Promise.all(counts)).includes(true)) return;
  throw tooManyTries(Math.max(1, Math.ceil((currentWindow().endsAt - Date.now()) / 1000)));
}

function isOver(count: number | undefined, limit: number): boolean {
  if (count === undefined) throw countersAway();
  return count > limit;
}
