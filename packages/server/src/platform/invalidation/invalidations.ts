import type { CacheUse } from './cache-use.ts';
import type { Outage } from './outage.ts';

/** Tells caches that what they hold is old. */
export interface Invalidations {
  /** Can what was read earlier still be relied on? */
  readonly isCurrent: boolean;
  /** When it was last certain that everything had been heard, by `performance.now()`. */
  readonly heardAt: number;
  /** How caches get by while nothing is heard. Undefined: they are bypassed. */
  readonly outage?: Outage | undefined;
  /** Counts what caches are asked for. */
  readonly cacheUse?: CacheUse | undefined;
  onTopic(topic: string, heard: (key: string) => void): void;
  /** Called when something may have been missed that nobody can name. */
  onGap(forget: () => void): void;
}
