import type { Counter } from '../metrics/instruments.ts';
import type { Registry } from '../metrics/registry.ts';

/** `bypassed`: nobody could promise that what is cached is current. */
type Result = 'hit' | 'miss' | 'bypassed';

/** Counts what caches are asked for. */
export class CacheUse {
  readonly #asked: Counter;

  constructor(metrics: Registry) {
    this.#asked = metrics.counter({
      name: 'plinth_cache_lookups_total',
      help: 'Cache lookups; `bypassed` while invalidations may be missed.',
      labels: ['cache', 'result'],
    });
  }

  note(cache: string, result: Result): void {
    this.#asked.add(1, cache, result);
  }
}
