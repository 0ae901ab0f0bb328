/** Counts hits per key in fixed windows of one minute, aligned to the clock so that all nodes share them. */
export interface WindowCounter {
  /** Adds one, or more, and says how many there are now in the window. */
  hit(key: string, by?: number): Promise<number>;
  /** The same, but fails rather than count alone when the other nodes' counts cannot be reached. */
  hitStrictly(key: string): Promise<number>;
  connect(): Promise<void>;
  /** Fails if the counter cannot count with the other nodes. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const windowMs = 60_000;

export function currentWindow(now = Date.now()): { number: number; endsAt: number } {
  const number = Math.floor(now / windowMs);
  return { number, endsAt: (number + 1) * windowMs };
}
