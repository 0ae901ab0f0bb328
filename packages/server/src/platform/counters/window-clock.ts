const windowMs = 60_000;

/** A minute in which calls are counted. */
export interface Window {
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
  readonly leftMs: number;
}

export function windowAt(ms: number): Window {
  const number = Math.floor(ms / windowMs);
  const endsAt = (number + 1) * windowMs;
  return { number, endsAt, leftMs: endsAt - ms };
}

/** Which minute it is: by the clock that counts for all nodes once it was heard, until then by that of this machine. */
export class WindowClock {
  /** What to add to `performance.now()`, which nobody sets back. */
  #origin: number | undefined;

  hear(ms: number): void {
    this.#origin = ms - performance.now();
  }

  current(): Window {
    return windowAt(this.#origin === undefined ? Date.now() : this.#origin + performance.now());
  }
}
