import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/up-to.ts';

/** So often in a row a hook may be late or break down before it is not asked for a while. @limit hook_failed */
const mostFailures = 5;
/** For so long it is not asked. @limit hook_failed ms */
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
