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

/** Does the same with each item, and rests in between. */
export async function mapWithRests<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Result,
): Promise<Result[]> {
  const yielder = new Yielder();
  const results: Result[] = [];
  for (const item of items) {
    if (yielder.isRestDue) await yielder.rest();
    results.push(act(item));
  }
  return results;
}
