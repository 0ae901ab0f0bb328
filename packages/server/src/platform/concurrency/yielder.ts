/** So long the event loop may be kept from everything else. */
const longestMs = 10;
/** Work that takes no longer is short. */
const shortMs = 2;

/**
 * The event loop, which long work of several calls wants at the same time. In each of its turns one of them goes on, and
 * everything else comes in between. Askers take turns, so that many calls of one are in nobody's way but its own.
 */
class EventLoop {
  /** In the order in which they go on. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the first long work of this turn began. */
  #since = 0;
  #endsSoon = false;

  /** Is what this turn has for long work used up? */
  get isTurnOver(): boolean {
    return performance.now() - this.#since > longestMs;
  }

  /** Long work begins or goes on: its time counts together with that of the others in this turn. */
  begin(): void {
    if (this.#endsSoon) return;
    this.#endsSoon = true;
    this.#since = performance.now();
    setImmediate(this.#next);
  }

  /** Resolves in a turn of the asker's own. */
  wait(asker: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(asker) ?? [];
      waiting.push(resolve);
      this.#waiting.set(asker, waiting);
      this.begin();
    });
  }

  readonly #next = (): void => {
    this.#endsSoon = false;
    const [asker, waiting] = this.#waiting.entries().next().value ?? [];
    if (asker === undefined || !waiting) return;
    this.#waiting.delete(asker);
    const goOn = waiting.shift();
    if (waiting.length > 0) this.#waiting.set(asker, waiting);
    this.begin();
    goOn?.();
  };
}

const eventLoop = new EventLoop();

/** Lets everything else have its turn in the middle of long work. */
export class Yielder {
  readonly #asker: string;
  readonly #freeMs: number;
  #since = 0;

  /** `asker`: whose work it is, such as a project. */
  constructor(asker: string, freeMs = 0) {
    this.#asker = asker;
    this.#freeMs = freeMs;
    this.begin();
  }

  /** For work that is short as a rule: it waits for the long work of others only if it turns out to be long itself. */
  static forShortWork(asker: string): Yielder {
    return new Yielder(asker, shortMs);
  }

  /** The work has just had to wait for something. */
  begin(): void {
    this.#since = performance.now();
    eventLoop.begin();
  }

  get isRestDue(): boolean {
    return eventLoop.isTurnOver && performance.now() - this.#since >= this.#freeMs;
  }

  async rest(): Promise<void> {
    await eventLoop.wait(this.#asker);
    this.#since = performance.now();
  }
}

/** Does the same with each item, and rests in between. */
export async function mapWithRests<Item, Result>(
  asker: string,
  items: readonly Item[],
  act: (item: Item) => Result,
): Promise<Result[]> {
  const yielder = new Yielder(asker);
  const results: Result[] = [];
  for (const item of items) {
    if (yielder.isRestDue) await yielder.rest();
    results.push(act(item));
  }
  return results;
}
