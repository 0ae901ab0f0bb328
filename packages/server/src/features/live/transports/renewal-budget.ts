import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/up-to.ts';

/**
 * Subscriptions that changes of one user may renew: so many at once, and then so many a second. The feed waits for
 * renewals, and with it everybody whose documents come through it.
 */
const atOnce = 1000;
const perSecond = 200;

interface Left {
  readonly renewals: number;
  readonly at: number;
}

/** Holds down how often the subscriptions of one user are renewed. */
export class RenewalBudget {
  readonly #left = new LRUCache<string, Left>(upTo(10_000));

  /** May so many subscriptions of the user be renewed now? If so, they are spent. */
  take(user: string, renewals: number): boolean {
    const now = performance.now();
    const last = this.#left.get(user) ?? { renewals: atOnce, at: now };
    const left = Math.min(atOnce, last.renewals + ((now - last.at) / 1000) * perSecond);
    const isEnough = left >= renewals;
    this.#left.set(user, { renewals: isEnough ? left - renewals : left, at: now });
    return isEnough;
  }
}
