import type { FastifyReply } from 'fastify';
import { currentWindow, type WindowCounter } from '../../platform/counters/window-counter.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { rateLimitOf } from '../project.ts';
import { rateLimited } from './errors.ts';
import type { Caller } from './identify-caller.ts';

interface Counted {
  readonly limit: number;
  readonly count: number;
  /** When counting begins anew. */
  readonly endsAt: number;
}

/** Where a call comes from, and how many a minute may come from there that name no project or carry no good credential. */
interface From {
  readonly address: string;
  readonly addressLimit: number;
}

/** Counts a call for its project, or for its address while it is not known who makes it. */
export async function countCall(
  counter: WindowCounter,
  { project, principal }: Pick<Caller, 'project' | 'principal'>,
  { address, addressLimit }: From,
): Promise<Counted> {
  const isKnown = project !== undefined && (principal.isTrusted || principal.user !== undefined);
  const key = isKnown ? `project:${project.id}` : `address:${networkOf(address)}`;
  const count = await counter.hit(key);
  return { limit: isKnown ? rateLimitOf(project) : addressLimit, count, endsAt: currentWindow().endsAt };
}

export function refusePast({ limit, count, endsAt }: Counted): void {
  if (count > limit) throw rateLimited(limit, Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)));
}

/** Counts the call and says so in the three headers; refuses it past the limit. */
export async function limitRate(
  counter: WindowCounter,
  reply: FastifyReply,
  caller: Caller,
  from: From,
): Promise<void> {
  const counted = await countCall(counter, caller, from);
  const { limit, count, endsAt } = counted;
  reply
    .header('X-RateLimit-Limit', limit)
    .header('X-RateLimit-Remaining', Math.max(0, limit - count))
    .header('X-RateLimit-Reset', endsAt / 1000);
  refusePast(counted);
}
