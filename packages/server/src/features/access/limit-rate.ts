import type { FastifyReply } from 'fastify';
import { currentWindow, type WindowCounter } from '../../platform/counters/window-counter.ts';
import { networkOf } from '../../platform/http/network-of.ts';
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
  const isKnown =
    caller.project !== undefined && (caller.principal.isTrusted || caller.principal.user !== undefined);
  const limit = isKnown ? rateLimitOf(caller.project) : from.addressLimit;
  const count = await counter.hit(
    isKnown ? `project:${caller.project.id}` : `address:${networkOf(from.address)}`,
  );
  const { endsAt } = currentWindow();
  reply
    .header('X-RateLimit-Limit', limit)
    .header('X-RateLimit-Remaining', Math.max(0, limit - count))
    .header('X-RateLimit-Reset', endsAt / 1000);
  if (count > limit) throw rateLimited(limit, Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)));
}
