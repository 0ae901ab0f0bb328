/**
 * Does the same work once for all who ask for it at the same moment. Who comes while it is being done is served by the
 * next time, so that nobody is told what was true before they asked.
 */
export class SingleFlight<Result> {
  readonly #rounds = new Map<string, Round<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const current = this.#rounds.get(key);
    if (!current) return this.#begin(key, new Round(work));
    if (!current.isBegun) return current.result;
    current.next ??= new Round(work);
    return current.next.result;
  }

  #begin(key: string, round: Round<Result>): Promise<Result> {
    this.#rounds.set(key, round);
    // At the end of this turn of the event loop: whoever arrived with it goes along.
    setImmediate(() => {
      void round.begin().finally(() => {
        if (round.next) void this.#begin(key, round.next);
        else this.#rounds.delete(key);
      });
    });
    return round.result;
  }
}

class Round<Result> {
  readonly result: Promise<Result>;
  readonly #work: () => Promise<Result>;
  readonly #settle: PromiseWithResolvers<Result>;
  isBegun = false;
  next: Round<Result> | undefined;

  constructor(work: () => Promise<Result>) {
    this.#work = work;
    this.#settle = Promise.withResolvers<Result>();
    this.result = this.#settle.promise;
  }

  async begin(): Promise<void> {
    this.isBegun = true;
    try {
      this.#settle.resolve(await this.#work());
    } catch (error) {
      this.#settle.reject(error);
    }
  }
}
