import { AsyncLocalStorage } from 'node:async_hooks';

/** A call that is under way. */
export interface Call {
  readonly id: string;
  readonly abort: AbortController;
  /** What it asked to be waited for. */
  readonly pending: Promise<unknown>[];
}

/** The calls of this process, and which of them the code that runs right now belongs to. */
export class Calls {
  readonly #live = new Map<string, Call>();
  readonly #current = new AsyncLocalStorage<Call>();

  get current(): Call | undefined {
    return this.#current.getStore();
  }

  /** Runs `work` as one call, which ends when all that it asked to be waited for has ended. */
  async run<Result>(id: string, work: (call: Call) => Promise<Result>, onEnd: () => void): Promise<Result> {
    const call: Call = { id, abort: new AbortController(), pending: [] };
    this.#live.set(id, call);
    try {
      return await this.#current.run(call, () => work(call));
    } finally {
      void Promise.allSettled(call.pending).finally(() => {
        this.#live.delete(id);
        onEnd();
      });
    }
  }

  abort(id: string): void {
    this.#live.get(id)?.abort.abort(new DOMException('The call has exceeded its deadline.', 'TimeoutError'));
  }
}
