import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  type AppendProgress,
  type BlobStore,
  nothingAppended,
} from '../../../src/platform/blobs/blob-store.ts';
import { bodyOf, contentOf, failingBody, kilobytes, megabytes } from './bodies.ts';
import { random, type Subject } from './contract.ts';

/** How one call of many goes: to its end, cut off by the sender, or stopped with its node after so many saves. */
type Ending = 'whole' | 'cut' | { readonly saves: number };

class Crash extends Error {}
class Cut extends Error {}

/** One blob that grows, seen by a caller who keeps the progress as JSON. */
class Appended {
  readonly key: string;
  progress: AppendProgress = nothingAppended;
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
    this.key = `appended/${randomUUID()}/original`;
  }

  async add(bytes: Buffer, ending: Ending = 'whole'): Promise<void> {
    let savesLeft = typeof ending === 'object' ? ending.saves : Number.POSITIVE_INFINITY;
    const body = ending === 'cut' ? failingBody(bytes, new Cut()) : bodyOf(bytes);
    const save = async (progress: AppendProgress) => {
      if (savesLeft === 0) throw new Crash();
      savesLeft -= 1;
      expect(progress.size).toBeGreaterThan(this.progress.size);
      this.progress = JSON.parse(JSON.stringify(progress)) as AppendProgress;
    };
    try {
      await this.#store.append(this.key, this.progress, body, save);
    } catch (error) {
      if (!(error instanceof Crash || error instanceof Cut)) throw error;
    }
  }

  finish(): Promise<void> {
    return this.#store.finishAppend(this.key, this.progress);
  }

  async content(): Promise<Buffer | undefined> {
    return contentOf(await this.#store.read(this.key));
  }
}

/** What every blob store does with bytes that come in several calls. */
export function testAppending(open: () => Promise<Subject>, { runs }: { runs: number }): void {
  let store: BlobStore;
  let halfWritten: Subject['halfWritten'];
  beforeAll(async () => {
    ({ store, halfWritten } = await open());
  });
  const placeOf = ({ key }: Appended) => key.slice(0, key.lastIndexOf('/'));

  const size = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 1, max: kilobytes(300) }),
    fc.integer({ min: megabytes(1), max: megabytes(11) }),
    fc.constantFrom(megabytes(5), megabytes(8)),
  );
  const ending: fc.Arbitrary<Ending> = fc.oneof(
    fc.constant<Ending>('whole'),
    fc.constant<Ending>('cut'),
    fc.record({ saves: fc.integer({ min: 0, max: 2 }) }),
  );
  const calls = fc.array(fc.record({ size, ending }), { maxLength: 8 });
  const total = fc.oneof(
    fc.constantFrom(megabytes(10), megabytes(20)),
    fc.integer({ max: megabytes(20), min: 0 }),
  );

  test('pieces of any size, cut off and continued from what was saved, make one blob', async () => {
    const oneBlob = async (pieces: readonly { size: number; ending: Ending }[], length: number) => {
      const bytes = random.subarray(0, length);
      const blob = new Appended(store);
      for (const { size, ending } of pieces) {
        const from = blob.progress.size;
        await blob.add(bytes.subarray(from, from + size), ending);
      }
      await blob.add(bytes.subarray(blob.progress.size));
      expect(blob.progress.size).toBe(length);
      expect(await blob.content()).toBeUndefined();
      await blob.finish();
      expect((await blob.content())!.equals(bytes)).toBe(true);
      expect(await halfWritten(placeOf(blob))).toEqual([]);
      await store.removeAll(placeOf(blob));
    };
    await fc.assert(fc.asyncProperty(calls, total, oneBlob), { numRuns: runs, endOnFailure: true });
  });

  test('what arrived before the body failed is saved', async () => {
    for (const length of [kilobytes(200), megabytes(7)]) {
      const blob = new Appended(store);
      await blob.add(random.subarray(0, length), 'cut');
      // A stream that fails drops what it holds and nobody has read yet.
      expect(blob.progress.size).toBeGreaterThanOrEqual(length - kilobytes(128));
    }
  });

  test('the call rejects with the error of the body, or of the save', async () => {
    const { key } = new Appended(store);
    const [cut, crash] = [new Cut(), new Crash()];
    const bytes = random.subarray(0, megabytes(7));
    const append = (body: Readable, save: () => Promise<void>) =>
      store.append(key, nothingAppended, body, save);
    await expect(append(failingBody(bytes, cut), async () => {})).rejects.toBe(cut);
    await expect(append(bodyOf(bytes), () => Promise.reject(crash))).rejects.toBe(crash);
  });

  test('bytes beyond the saved progress are written over by others', async () => {
    const blob = new Appended(store);
    await blob.add(random.subarray(0, kilobytes(100)));
    await blob.add(random.subarray(megabytes(1), megabytes(13)), { saves: 0 });
    expect(blob.progress.size).toBe(kilobytes(100));
    const others = random.subarray(megabytes(10), megabytes(22));
    await blob.add(others);
    await blob.finish();
    expect((await blob.content())!.equals(Buffer.concat([random.subarray(0, kilobytes(100)), others]))).toBe(
      true,
    );
  });

  test('bytes beyond the saved progress are no part of the blob', async () => {
    const blob = new Appended(store);
    await blob.add(random.subarray(0, kilobytes(100)));
    await blob.add(random.subarray(0, megabytes(2)), { saves: 0 });
    await blob.finish();
    expect(await blob.content()).toEqual(random.subarray(0, kilobytes(100)));
    expect(await halfWritten(placeOf(blob))).toEqual([]);
  });

  test('progress is saved on the way, not only at the end', async () => {
    const sizes: number[] = [];
    const save = async ({ size }: AppendProgress) => {
      sizes.push(size);
    };
    await store.append(new Appended(store).key, nothingAppended, bodyOf(random), save);
    const steps = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
    expect(sizes.at(-1)).toBe(random.length);
    expect(Math.max(...steps)).toBeLessThanOrEqual(megabytes(8));
  });

  test.each([0, 1, kilobytes(300), megabytes(5), megabytes(5) + 1, megabytes(10)])(
    '%i appended bytes can be finished, and finished again',
    async (length) => {
      const blob = new Appended(store);
      await blob.add(random.subarray(0, length));
      for (let times = 0; times < 3; times += 1) await blob.finish();
      expect(await store.sizeOf(blob.key)).toBe(length);
      expect((await blob.content())!.equals(random.subarray(0, length))).toBe(true);
      expect(await halfWritten(placeOf(blob))).toEqual([]);
    },
  );

  test('what was never appended to is finished as an empty blob', async () => {
    const blob = new Appended(store);
    await blob.finish();
    expect(await store.sizeOf(blob.key)).toBe(0);
  });

  test('what was appended and then removed cannot be finished or continued', async () => {
    for (const length of [kilobytes(1), megabytes(6)]) {
      const blob = new Appended(store);
      await blob.add(random.subarray(0, length));
      expect(await halfWritten(placeOf(blob))).not.toEqual([]);
      await store.removeAll(placeOf(blob));
      expect(await halfWritten(placeOf(blob))).toEqual([]);
      await expect(blob.add(random.subarray(0, megabytes(6)))).rejects.toThrow();
      await expect(blob.finish()).rejects.toThrow();
      expect(await store.sizeOf(blob.key)).toBeUndefined();
    }
  });
}
