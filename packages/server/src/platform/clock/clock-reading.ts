/** What another clock said, compared with that of this machine. */
export interface ClockReading {
  /** How far this machine is ahead of it, at least; below zero: behind. The way there and back is no difference. */
  readonly aheadMs: number;
  /** When it was read, as `performance.now()` tells time. */
  readonly readAt: number;
}

/** Compares what a clock has answered just now with this machine's, by which it was asked at `askedAt`. */
export function compareClocks(otherMs: number, askedAt: number): ClockReading {
  const answeredAt = Date.now();
  const beyond = Math.min(Math.max(otherMs, askedAt), answeredAt);
  return { aheadMs: beyond - otherMs, readAt: performance.now() };
}
