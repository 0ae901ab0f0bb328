/** Work on the same thing is done one after the other; work on different things is not held up. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(thing);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(thing, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(thing) === mine) this.#last.delete(thing);
    }
  }
}
