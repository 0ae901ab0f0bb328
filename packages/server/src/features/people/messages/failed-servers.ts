import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/up-to.ts';
import { DeliveryError } from './explain-failure.ts';

const slowMs = 5000;
const restMs = 30_000;

/**
 * Projects whose mail server or gateway did not answer. It is left alone for a moment, because each wait for a dead server
 * would hold up somebody else's message.
 */
export class FailedServers {
  readonly #restsUntil = new LRUCache<string, number>(upTo(10_000));
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does the work, unless the project's server left us without an answer within the last half minute. */
  async spare(projectId: string, work: () => Promise<void>): Promise<void> {
    const startedAt = this.#now();
    if ((this.#restsUntil.get(projectId) ?? 0) > startedAt) {
      throw new DeliveryError(
        'The project’s mail server or gateway did not respond; the message will be retried later.',
      );
    }
    try {
      await work();
    } catch (error) {
      const failedAt = this.#now();
      if (failedAt - startedAt > slowMs) this.#restsUntil.set(projectId, failedAt + restMs);
      throw error;
    }
  }
}
