import type { ClockReading } from '../clock/clock-reading.ts';
import type { NowOrLater } from '../concurrency/now-or-later.ts';
import type { Window } from './window-clock.ts';

/** So many calls fit into a window under one key. */
export interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/** What the buckets hold after a call, in their order. */
export interface Taken {
  readonly counts: readonly number[];
  /** Which of them was full already, the first if several were: then the call was counted in none. */
  readonly full?: number | undefined;
}

/** Counts hits per key in fixed windows of one minute, aligned to the clock so that all nodes share them. */
export interface WindowCounter {
  /** Counts a call, or more, in all of the buckets, or in none of them if one is full: at once if it counts them itself. */
  take(buckets: readonly Bucket[], calls?: number): NowOrLater<Taken>;
  /** Adds one hit and returns how many the window has now. */
  hit(key: string): Promise<number>;
  /** The same, but does not count alone: undefined if the other nodes' counts cannot be reached. */
  hitStrictly(key: string): Promise<number | undefined>;
  /** The minute that calls are counted in now, by the clock of whatever counts. */
  window(): Window;
  /** The clock that counts, as it was last read, where it is that of another machine. */
  readonly clock?: ClockReading | undefined;
  /** How many processes count together, as this one has heard, where others may. */
  readonly processes?: number;
  connect(): Promise<void>;
  /** Fails if the other nodes' counts cannot be reached. */
  check(): Promise<void>;
  /** They can be reached, but take no more. */
  readonly isFull?: boolean;
  close(): Promise<void>;
}

/** For what is only counted. */
export const unlimited = (key: string): Bucket => ({ key, limit: Number.MAX_SAFE_INTEGER });

/** The first bucket that has no room for another call. */
export function findFull(buckets: readonly Bucket[], counts: readonly number[]): number | undefined {
  const at = buckets.findIndex(({ limit }, at) => counts[at]! >= limit);
  return at === -1 ? undefined : at;
}
