import type { Bucket } from '../../platform/counters/window-counter.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { rateLimitOf } from '../project.ts';
import type { Share } from './errors.ts';
import type { Caller } from './identify-caller.ts';

export interface SharedBucket extends Bucket {
  readonly share: Share;
}

/** Where a call comes from, and how many a minute may come from there that carry no good credential. */
export interface From {
  readonly address: string;
  readonly addressLimit: number;
}

/**
 * What each may take of the calls of a project. A quarter is left for the API key, whatever the app does, and a quarter
 * for signed-in users, whatever strangers do. One caller has a quarter at most; of a small limit it has more, since a
 * quarter of 60 calls would not let a single person try an app.
 */
const shares = {
  app: { part: 3 / 4, least: 1 },
  anonymous: { part: 1 / 2, least: 1 },
  user: { part: 1 / 4, least: 40 },
  network: { part: 1 / 4, least: 20 },
};

/** The buckets that a call must find room in, narrow ones first. A refused credential costs no project anything. */
export function bucketsOf(
  { project, principal, failure }: Caller,
  { address, addressLimit }: From,
): SharedBucket[] {
  if (!project || failure) return [addressBucket(address, addressLimit)];
  const limit = rateLimitOf(project);
  const key = `project:${project.id}`;
  const whole = { share: 'project', key, limit } as const;
  if (principal.isTrusted) return [whole];
  const share = (share: keyof typeof shares, name: string = share) => ({
    share,
    key: `${key}:${name}`,
    limit: partOf(limit, shares[share]),
  });
  if (principal.user) return [share('user', `user:${principal.user.id}`), share('app'), whole];
  return [
    addressBucket(address, addressLimit),
    share('network', `network:${networkOf(address)}`),
    share('anonymous'),
    share('app'),
    whole,
  ];
}

export const addressBucket = (address: string, limit: number): SharedBucket => ({
  share: 'address',
  key: `address:${networkOf(address)}`,
  limit,
});

/** A page may show a hundred files: they do not count among the calls of an address. */
export const filesBucket = (address: string, limit: number): SharedBucket => ({
  share: 'files',
  key: `files:${networkOf(address)}`,
  limit,
});

function partOf(limit: number, { part, least }: { part: number; least: number }): number {
  return Math.min(limit, Math.max(least, Math.floor(limit * part)));
}
