import type { FastifyReply } from 'fastify';
import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import { rateLimited } from './errors.ts';
import type { Caller } from './identify-caller.ts';
import { bucketsOf, type From, type SharedBucket } from './shares.ts';

interface Counted {
  /** How many calls a minute this caller may make at most. */
  readonly limit: number;
  /** How many of them are left now: others may have used up what they share. */
  readonly remaining: number;
  /** What has no room for the call. */
  readonly full?: SharedBucket | undefined;
  /** When counting begins anew, by the clock that counts. */
  readonly endsAt: number;
  readonly leftMs: number;
}

/** Counts a call in every share that it takes part in, or in none if one of them is used up. */
export function countCall(counter: WindowCounter, caller: Caller, from: From): NowOrLater<Counted> {
  return countIn(counter, bucketsOf(caller, from));
}

export function countIn(counter: WindowCounter, buckets: readonly SharedBucket[]): NowOrLater<Counted> {
  return andThen(counter.take(buckets), ({ counts, full }) => {
    const { endsAt, leftMs } = counter.window();
    return {
      limit: Math.min(...buckets.map(({ limit }) => limit)),
      remaining: Math.max(0, Math.min(...buckets.map(({ limit }, at) => limit - counts[at]!))),
      full: full === undefined ? undefined : buckets[full],
      endsAt,
      leftMs,
    };
  });
}

export function refusePast({ full, leftMs }: Counted): void {
  if (full) throw rateLimited(full, Math.max(1, Math.ceil(leftMs / 1000)));
}

/** Counts the call and says so in the three headers; refuses it past the limit. */
export function limitRate(
  counter: WindowCounter,
  reply: FastifyReply,
  caller: Caller,
  from: From,
): NowOrLater<void> {
  return andThen(countCall(counter, caller, from), (counted) => {
    sayCounted(reply, counted);
    refusePast(counted);
  });
}

/** Tells a caller in the three headers how many calls are left. */
export function sayCounted(reply: FastifyReply, counted: Counted): void {
  reply
    .header('X-RateLimit-Limit', counted.limit)
    .header('X-RateLimit-Remaining', counted.remaining)
    .header('X-RateLimit-Reset', counted.endsAt / 1000);
}
