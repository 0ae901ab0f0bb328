import { isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import { currentWindow, type WindowCounter } from '../../platform/counters/window-counter.ts';
import { rateLimitOf } from '../projects/index.ts';
import { rateLimited } from './errors.ts';
import type { Caller } from './identify-caller.ts';

/** Counts the call and says so in the three headers; refuses it past the limit. */
export async function limitRate(
  counter: WindowCounter,
  reply: FastifyReply,
  caller: Caller,
  from: { address: string; addressLimit: number },
): Promise<void> {
  const isTrusted = caller.project !== undefined && caller.principal.kind === 'server';
  const limit = isTrusted ? rateLimitOf(caller.project) : from.addressLimit;
  const count = await counter.hit(
    isTrusted ? `project:${caller.project.id}` : `address:${networkOf(from.address)}`,
  );
  const { endsAt } = currentWindow();
  reply
    .header('X-RateLimit-Limit', limit)
    .header('X-RateLimit-Remaining', Math.max(0, limit - count))
    .header('X-RateLimit-Reset', endsAt / 1000);
  if (count > limit) throw rateLimited(limit, Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)));
}

/** One household or server usually holds a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - left.length - right.length }, () => '0')
    : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
