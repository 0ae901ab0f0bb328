/**
 * A way that is usually quicker than the plain one. Once it was much slower, or slower several times in a row, it rests:
 * longer each time, until it has been quick again.
 */
export class Shortcut {
  #misses = 0;
  #restMs = 0;
  #restsUntil = 0;
  #isProven = false;

  get isOpen(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /** It was quick once, and has not rested since. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Notes how long it took, and how long the plain way takes. */
  note(ms: number, plainMs: number): void {
    // Several may have set out before the first of them came back.
    if (!this.isOpen) return;
    if (ms <= plainMs * slowerTimes + negligibleMs) {
      this.#misses = 0;
      this.#restMs = 0;
      this.#isProven = true;
      return;
    }
    this.#misses += ms > (plainMs + negligibleMs) * muchSlowerTimes ? mostMisses : 1;
    if (this.#misses < mostMisses) return;
    // After the rest, the next miss is enough.
    this.#misses = mostMisses - 1;
    this.#isProven = false;
    this.#restMs = Math.min(Math.max(this.#restMs * 2, shortestRestMs), longestRestMs);
    this.#restsUntil = performance.now() + this.#restMs;
  }
}

const slowerTimes = 2;
const muchSlowerTimes = 10;
/** What a busy machine adds to anything. */
const negligibleMs = 2;
const mostMisses = 3;
const shortestRestMs = 10_000;
const longestRestMs = 3_600_000;
