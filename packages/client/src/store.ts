/** A value with subscribers, compatible with React's `useSyncExternalStore` and with Svelte stores. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** Calls back immediately with the current value, then with every change. Returns a function to unsubscribe. */
  readonly subscribe = (listener: (value: Value) => void): (() => void) => {
    // The same function may be given twice.
    const tell = (value: Value) => listener(value);
    this.#listeners.add(tell);
    if (this.#listeners.size === 1) this.started();
    tell(this.#value);
    return () => {
      if (this.#listeners.delete(tell) && this.#listeners.size === 0) this.stopped();
    };
  };

  protected set(value: Value): void {
    this.#value = value;
    for (const tell of Array.from(this.#listeners)) {
      try {
        tell(value);
      } catch (error) {
        // One listener's mistake is its own: the others are told all the same.
        setTimeout(() => {
          throw error;
        });
      }
    }
  }

  /** The first subscriber has arrived. */
  protected started(): void {}
  /** The last subscriber has left. */
  protected stopped(): void {}
}
