import { finished, type Readable } from 'node:stream';
import { guarded } from '../guarded.ts';
import { BufferCollector } from './buffer-collector.ts';

/** What is left of a body after its full blocks, and the error it ended with, if it failed. */
export interface Rest {
  readonly bytes: Buffer;
  readonly failure: { readonly error: unknown } | undefined;
}

export interface Blocks {
  readonly size: number;
  /** Bytes that go before those of the body; fewer than a block. */
  readonly begin?: Uint8Array;
  /** The block is overwritten once this is done. */
  readonly write: (block: Buffer) => Promise<void>;
}

/** Hands bodies on in blocks. A store has one for all its bodies. */
export class BlockWriter {
  readonly #collector = new BufferCollector();

  /**
   * Reads a body to its end or failure and hands it on in full blocks, one being written while the next is filled. Holds
   * two blocks however small the body's chunks are. If a write fails it rejects, and leaves the rest of the body unread
   * for the caller, who may have an answer to send on the same connection.
   */
  async write(body: Readable, { size, begin, write }: Blocks): Promise<Rest> {
    let filling = new Block(size);
    let spare = new Block(size);
    let writing: Promise<void> = Promise.resolve();
    const handOn = async () => {
      await writing;
      [filling, spare] = [spare, filling];
      filling.clear();
      writing = write(spare.bytes);
      this.#collector.count(size);
      // Awaited at the next block or at the end. Until then a failure must not count as an unhandled rejection.
      writing.catch(() => {});
    };
    if (begin) filling.add(begin);
    const take = (chunk: Uint8Array): Promise<void> | undefined => {
      const taken = filling.add(chunk);
      if (!filling.isFull) return undefined;
      return handOn().then(() => take(chunk.subarray(taken)));
    };
    const failure = await readAll(body, take);
    await writing.catch((error: unknown) => {
      throw failure ? failure.error : error;
    });
    return { bytes: filling.bytes, failure };
  }
}

/** Keeps an error that comes before the body is read from ending the process; reading the body then fails with it. */
export function expectErrors(body: Readable): void {
  body.on('error', () => {});
}

/**
 * Gives every chunk to `take`, and waits if it returns a promise. Rejects if that does; a failure of the body itself is
 * returned. (Iterating over the body would join all waiting chunks into one, which copies them all.)
 */
async function readAll(
  body: Readable,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<Rest['failure']> {
  const { promise, resolve, reject } = Promise.withResolvers<Rest['failure']>();
  let taking: Promise<void> | undefined;
  const onData = guarded(reject, (chunk: Uint8Array) => {
    taking = take(chunk);
    if (!taking) return;
    body.pause();
    taking.then(
      () => body.resume(),
      (error: unknown) => {
        body.off('data', onData);
        reject(error);
      },
    );
  });
  finished(body, { writable: false }, (error) => resolve(error ? { error } : undefined));
  body.on('data', onData);
  const failure = await promise;
  // A body can fail while a chunk of it is being taken.
  await taking;
  return failure;
}

/** Memory that is filled up to a size and reused. It starts small, since most bodies are small. */
class Block {
  readonly #size: number;
  #memory = Buffer.alloc(0);
  #filled = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get isFull(): boolean {
    return this.#filled === this.#size;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#filled);
  }

  /** Takes as much as there is room for, and returns how much that was. */
  add(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, this.#size - this.#filled);
    this.#makeRoom(this.#filled + count);
    this.#memory.set(count === bytes.length ? bytes : bytes.subarray(0, count), this.#filled);
    this.#filled += count;
    return count;
  }

  clear(): void {
    this.#filled = 0;
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#size, Math.max(needed, 4 * this.#memory.length)));
    this.#memory.copy(larger, 0, 0, this.#filled);
    this.#memory = larger;
  }
}
