/** Something that is there, and tells when it becomes another: as React's `useSyncExternalStore` and Svelte take it. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** Tells at once what there is, and then of every change. Returns how to stop. */
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

  /** Somebody listens. */
  protected started(): void {}
  /** Nobody listens any more. */
  protected stopped(): void {}
}
