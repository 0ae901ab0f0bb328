import { uploadBusy } from './errors.ts';

interface Put {
  readonly replaced: AbortController;
  readonly ended: Promise<void>;
}

/**
 * The calls of this process that send bytes to an address for direct uploads. One at a time writes: each needs room for
 * all its bytes, and it is reserved only once. The newest goes on, since its client has given up the one before.
 */
export class DirectPuts {
  readonly #newest = new Map<string, Put>();

  async run(upload: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const before = this.#newest.get(upload);
    const replaced = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own = { replaced, ended };
    this.#newest.set(upload, own);
    before?.replaced.abort();
    try {
      await before?.ended;
      replaced.signal.throwIfAborted();
      await work(replaced.signal);
    } catch (error) {
      throw replaced.signal.aborted ? uploadBusy() : error;
    } finally {
      if (this.#newest.get(upload) === own) this.#newest.delete(upload);
      end();
    }
  }
}
