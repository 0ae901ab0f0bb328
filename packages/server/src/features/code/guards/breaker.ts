import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/up-to.ts';

/** Consecutive timeouts or crashes after which a hook that runs before a write is paused. @limit hook_failed */
const mostFailures = 5;
/** How long it is paused. @limit hook_failed ms */
export const restMs = 10_000;
const mostHooks = 10_000;

interface Health {
  readonly failures: number;
  readonly restsUntil: number;
}

/** A hook that never answers in time does not keep every write waiting for it. */
export class Breaker {
  readonly #health = new LRUCache<string, Health>(upTo(mostHooks));

  rests(hook: string): boolean {
    return (this.#health.get(hook)?.restsUntil ?? 0) > performance.now();
  }

  /** After a rest one more failure is enough for the next. */
  note(hook: string, hasFailed: boolean): void {
    if (!hasFailed) {
      this.#health.delete(hook);
      return;
    }
    const failures = (this.#health.get(hook)?.failures ?? 0) + 1;
    const restsUntil = failures >= mostFailures ? performance.now() + restMs : 0;
    this.#health.set(hook, { failures, restsUntil });
  }
}
