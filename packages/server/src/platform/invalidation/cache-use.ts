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
      help: 'Look-ups in caches; `bypassed` while invalidations may not be heard.',
      labels: ['cache', 'result'],
    });
  }

  note(cache: string, result: Result): void {
    this.#asked.add(1, cache, result);
  }
}
