import type { KeptRequest } from './request-record.ts';

/** A record and whose it is. */
export interface Line {
  readonly project: { readonly id: string; readonly ref: string };
  readonly record: KeptRequest;
}

/** Lines that wait in this process to be written. */
const mostWaiting = 20_000;
const droppedAtOnce = 1000;

/** What waits to be written to a cell. If it becomes too much, the oldest successes go. */
export class LineBuffer {
  readonly #successes: Line[] = [];
  readonly #failures: Line[] = [];

  get size(): number {
    return this.#successes.length + this.#failures.length;
  }

  /** How many others had to go for it. */
  add(line: Line): number {
    (line.record.status < 400 ? this.#successes : this.#failures).push(line);
    if (this.size <= mostWaiting) return 0;
    const victims = this.#successes.length > 0 ? this.#successes : this.#failures;
    return victims.splice(0, droppedAtOnce).length;
  }

  /** Takes some, failures first. */
  take(most: number): Line[] {
    const failures = this.#failures.splice(0, most);
    return [...failures, ...this.#successes.splice(0, most - failures.length)];
  }
}
