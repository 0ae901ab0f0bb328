import { currentWindow } from '../../platform/counters/window-counter.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import type { RequestContext } from '../projects/index.ts';
import { tooManyTries } from './errors.ts';
import type { AppUserServices } from './services.ts';

/**
 * Bounds how often passwords and codes can be tried, and mails caused: per address, and per account whatever the address. These limits fail shut:
 * while the counters of all nodes cannot be reached, the call fails.
 */
export async function limitTries(
  { counter, limits }: Pick<AppUserServices, 'counter' | 'limits'>,
  { project, from }: Pick<RequestContext, 'project' | 'from'>,
  account?: string,
): Promise<void> {
  const counts = [
    counter
      .hitStrictly(`auth-address:${networkOf(from.address)}`)
      .then((count) => count > limits.addressPerMinute),
    ...(account === undefined
      ? []
      : [
          counter
            .hitStrictly(`auth-account:${project.id}:${account}`)
            .then((count) => count > limits.accountPerMinute),
        ]),
  ];
  if (!(await Promise.all(counts)).includes(true)) return;
  throw tooManyTries(Math.max(1, Math.ceil((currentWindow().endsAt - Date.now()) / 1000)));
}
