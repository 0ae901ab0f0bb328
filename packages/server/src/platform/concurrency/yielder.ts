import { setImmediate } from 'node:timers/promises';

/** So long the event loop may be kept from everything else. */
const longestMs = 10;

/** Lets everything else have its turn in the middle of long work. */
export class Yielder {
  #since = performance.now();

  /** The work has just had to wait for something. */
  begin(): void {
    this.#since = performance.now();
  }

  get isRestDue(): boolean {
    return performance.now() - this.#since > longestMs;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.begin();
  }
}
