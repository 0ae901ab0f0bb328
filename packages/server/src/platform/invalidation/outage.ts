import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBucket } from '../concurrency/byte-bucket.ts';
import { lookupsAway } from './errors.ts';

/** How long what was cached is used while nobody can say that it has changed. A revoked key works no longer than this. */
const longestUseMs = 75_000;

/** Of what is known and of what is not: however many strangers ask, what is known is still checked. 50 a second together. */
const look = { perSecond: 20, burst: 5 };
const longestWaitMs = 1000;
const waitMs = 50;
const mostWaiting = 500;

/**
 * How caches get by while nothing is heard. What is known is used for a while, and checked as often as the database can
 * bear: when it comes back, it must not be met by every process at once asking for everything.
 */
export class Outage {
  readonly longestUseMs: number;
  readonly known = new Pace();
  readonly unknown = new Pace();

  constructor(longest = longestUseMs) {
    this.longestUseMs = longest;
  }
}

/** So many look-ups a second; those that would wait too long fail. */
class Pace {
  readonly #looks = new ByteBucket(look);
  #waiting = 0;

  /** Takes a turn, if there is one at once. */
  take(): boolean {
    return this.#looks.take(1);
  }

  async turn(): Promise<void> {
    if (this.#waiting >= mostWaiting) throw lookupsAway();
    const startedAt = performance.now();
    this.#waiting += 1;
    try {
      while (!this.take()) {
        if (performance.now() - startedAt > longestWaitMs) throw lookupsAway();
        await sleep(waitMs);
      }
    } finally {
      this.#waiting -= 1;
    }
  }
}
