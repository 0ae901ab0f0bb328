import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import type { BlobStore } from '../../../src/platform/blobs/blob-store.ts';
import {
  bodyOf,
  contentOf,
  failingBody,
  kilobytes,
  megabytes,
  repeatingBody,
  vanishingBody,
} from './bodies.ts';

export interface Subject {
  readonly store: BlobStore;
  /** All that the store holds under a prefix besides whole blobs. */
  readonly halfWritten: (prefix: string) => Promise<string[]>;
}

/** Bytes to take pieces from; no two pieces of it are alike. */
export const random = randomBytes(megabytes(24));

/** What every blob store does. */
export function testBlobStore(open: () => Promise<Subject>): void {
  let store: BlobStore;
  let halfWritten: Subject['halfWritten'];
  let place: string;
  beforeAll(async () => {
    ({ store, halfWritten } = await open());
  });
  const newKey = () => {
    place = `files/${randomUUID()}`;
    return `${place}/original`;
  };
  const put = (key: string, bytes: Buffer) => store.put(key, bodyOf(bytes));
  const read = async (key: string, start?: number, end = Number.MAX_SAFE_INTEGER) =>
    contentOf(await store.read(key, start === undefined ? undefined : { start, end }));

  test('what was put is read back, whole and in ranges', async () => {
    const key = newKey();
    const bytes = random.subarray(0, kilobytes(200) + 7);
    await put(key, bytes);
    expect(await store.sizeOf(key)).toBe(bytes.length);
    expect(await read(key)).toEqual(bytes);
    expect(await read(key, 0, 0)).toEqual(bytes.subarray(0, 1));
    expect(await read(key, 70_000, 140_000)).toEqual(bytes.subarray(70_000, 140_001));
    expect(await read(key, bytes.length - 1, bytes.length - 1)).toEqual(bytes.subarray(-1));
    expect(await read(key, 100_000)).toEqual(bytes.subarray(100_000));
    expect(await read(key, bytes.length, bytes.length)).toEqual(Buffer.alloc(0));
  });

  test('what is not there has no size and cannot be read', async () => {
    const key = newKey();
    await put(key, random.subarray(0, 10));
    for (const missing of [newKey(), place, `${key}/below`]) {
      expect(await store.sizeOf(missing)).toBeUndefined();
      expect(await store.read(missing)).toBeUndefined();
    }
  });

  test('a blob can be empty', async () => {
    const key = newKey();
    await put(key, Buffer.alloc(0));
    expect(await store.sizeOf(key)).toBe(0);
    expect(await read(key)).toEqual(Buffer.alloc(0));
  });

  test('the last put stays, shorter or longer', async () => {
    const key = newKey();
    for (const size of [kilobytes(300), 5, megabytes(6), 17]) {
      const bytes = random.subarray(size, 2 * size);
      await put(key, bytes);
      expect((await read(key))!.equals(bytes)).toBe(true);
    }
    expect(await halfWritten(place)).toEqual([]);
  });

  test.each([1, 5, 20])('%i MB, exactly and a byte more or less, are streamed', async (size) => {
    for (const length of [megabytes(size) - 1, megabytes(size), megabytes(size) + 1]) {
      const key = newKey();
      const bytes = random.subarray(0, length);
      await put(key, bytes);
      expect((await read(key))!.equals(bytes)).toBe(true);
    }
  });

  test.each([0, megabytes(1), megabytes(12)])('a body that fails at %i leaves nothing', async (size) => {
    const key = newKey();
    const failure = new Error('cut off');
    await expect(store.put(key, failingBody(random.subarray(0, size), failure))).rejects.toBe(failure);
    expect(await store.read(key)).toBeUndefined();
    expect(await halfWritten(place)).toEqual([]);
  });

  test.each([0, megabytes(1), megabytes(12)])('a body that is gone at %i leaves nothing', async (size) => {
    const key = newKey();
    await expect(store.put(key, vanishingBody(random.subarray(0, size)))).rejects.toThrow('Premature close');
    expect(await store.read(key)).toBeUndefined();
    expect(await halfWritten(place)).toEqual([]);
  });

  test('a body that failed before it was put fails the put, not the process', async () => {
    const failure = new Error('cut off');
    const body = new Readable({ read() {} });
    const putting = store.put(newKey(), body);
    expect(body.listenerCount('error')).toBeGreaterThan(0);
    body.destroy(failure);
    await expect(putting).rejects.toBe(failure);
    await expect(store.put(newKey(), body)).rejects.toBe(failure);
  });

  test('a put that fails leaves what was there before', async () => {
    const key = newKey();
    await put(key, random.subarray(0, 100));
    await expect(store.put(key, failingBody(random.subarray(200), new Error('cut')))).rejects.toThrow('cut');
    expect(await read(key)).toEqual(random.subarray(0, 100));
  });

  test('forty puts at once do not disturb each other', async () => {
    const keys = Array.from({ length: 40 }, newKey);
    const bytesOf = (index: number) => random.subarray(index, index + kilobytes(10) * (index + 1));
    await Promise.all(keys.map((key, index) => put(key, bytesOf(index))));
    const contents = await Promise.all(keys.map((key) => read(key)));
    contents.forEach((content, index) => expect(content!.equals(bytesOf(index))).toBe(true));
  });

  test('all under a prefix is removed, and nothing beside it', async () => {
    const base = `trees/${randomUUID()}`;
    const inside = ['a/b/c', 'a/b/d/e', 'a/b/d/f'];
    const outside = ['a/bc', 'a/b.c', 'a/bcd/e', 'a/a/b/c'];
    for (const key of [...inside, ...outside]) await put(`${base}/${key}`, random.subarray(0, 9));
    await store.removeAll(`${base}/a/b`);
    for (const key of inside) expect(await store.sizeOf(`${base}/${key}`)).toBeUndefined();
    for (const key of outside) expect(await store.sizeOf(`${base}/${key}`)).toBe(9);
    await store.removeAll(`${base}/a/b`);
    await store.removeAll(`${base}/a/bcd`);
    expect(await store.sizeOf(`${base}/a/b.c`)).toBe(9);
  });

  test('a copy stands for itself', async () => {
    const [from, to] = [newKey(), newKey()];
    const bytes = random.subarray(0, megabytes(12));
    await put(from, bytes);
    await put(to, random.subarray(0, 9));
    expect(await store.copy(from, to)).toBe(true);
    await put(from, random.subarray(0, 5));
    expect((await read(to))!.equals(bytes)).toBe(true);
    expect(await store.copy(newKey(), to)).toBe(false);
    expect((await read(to))!.equals(bytes)).toBe(true);
    expect(await halfWritten('files')).toEqual([]);
  });

  const wrongKeys = [
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '.',
    '..',
    'a/../b',
    'a/...',
    'a b',
    'a\\b',
    'é',
    'a~b',
    'a\n',
  ];
  test.each(wrongKeys)('%j is no key', async (key) => {
    const progress = { size: 0 };
    const refused = [
      () => store.put(key, bodyOf(random)),
      () => store.read(key),
      () => store.sizeOf(key),
      () => store.copy(key, 'a'),
      () => store.copy('a', key),
      () => store.removeAll(key),
      () => store.append(key, progress, bodyOf(random), async () => {}),
      () => store.finishAppend(key, progress),
    ];
    for (const call of refused) await expect(call()).rejects.toThrow('not the key of a blob');
  });

  test.each([
    [5, 4],
    [-1, 4],
    [0.5, 4],
    [0, Number.NaN],
  ])('%d to %d is no range', async (start, end) => {
    await expect(store.read(newKey(), { start, end })).rejects.toThrow('not a range');
  });

  test('the store can be reached', async () => {
    await store.check();
    expect(store.description).toMatch(/^(folder|bucket) ./);
  });

  test('300 MB pass through a put in less than 50 MB of memory', async () => {
    await put(newKey(), random);
    const before = memoryInUse();
    const most = { rss: 0, own: 0 };
    const watch = () => {
      const now = memoryInUse();
      most.rss = Math.max(most.rss, now.rss - before.rss);
      most.own = Math.max(most.own, now.own - before.own);
    };
    const key = newKey();
    await store.put(key, repeatingBody(megabytes(300), { every: megabytes(50), watch }));
    expect(await store.sizeOf(key)).toBe(megabytes(300));
    await store.removeAll(place);
    const inMegabytes = (bytes: number) => (bytes / megabytes(1)).toFixed(1);
    console.log(
      `put of 300 MB: RSS +${inMegabytes(most.rss)} MB, heap and buffers +${inMegabytes(most.own)} MB at most`,
    );
    expect(Math.max(most.rss, most.own)).toBeLessThan(megabytes(50));
  });
}

/** What is in use, without what only waits to be collected. */
function memoryInUse(): { rss: number; own: number } {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, own: heapUsed + external };
}
