/** Counts hits per key in fixed windows of one minute, aligned to the clock so that all nodes share them. */
export interface WindowCounter {
  /** Adds one hit, or more, and returns how many the window has now. */
  hit(key: string, by?: number): Promise<number>;
  /** The same, but does not count alone: undefined if the other nodes' counts cannot be reached. */
  hitStrictly(key: string): Promise<number | undefined>;
  connect(): Promise<void>;
  /** Fails if the counter cannot count together with the other nodes. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const windowMs = 60_000;

export function currentWindow(now = Date.now()): { number: number; endsAt: number } {
  const number = Math.floor(now / windowMs);
  return { number, endsAt: (number + 1) * windowMs };
}
