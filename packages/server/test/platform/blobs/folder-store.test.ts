// @postgres newest
import { chmod, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderStore } from '../../../src/platform/blobs/folder/folder-store.ts';
import { testAppending } from './append-contract.ts';
import { bodyOf, kilobytes, megabytes } from './bodies.ts';
import { random, testBlobStore } from './contract.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-blobs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const root = () => join(folder, 'made', 'when', 'needed');
const openFolder = async () => ({
  store: new FolderStore(root()),
  halfWritten: async (prefix: string) => {
    const names = await readdir(join(root(), prefix), { recursive: true }).catch(() => []);
    return names.filter((name) => name.includes('~'));
  },
});

testBlobStore(openFolder);
testAppending(openFolder, { runs: 12 });

test('a blob is a file, and folders that became empty go', async () => {
  const store = new FolderStore(join(folder, 'tidy'));
  await store.put('a/b/c/d', bodyOf(Buffer.from('hello')));
  await store.put('a/x', bodyOf(Buffer.from('hello')));
  expect(await readFile(join(folder, 'tidy', 'a', 'b', 'c', 'd'), 'utf8')).toBe('hello');
  await store.removeAll('a/b/c');
  expect(await readdir(join(folder, 'tidy', 'a'))).toEqual(['x']);
  await store.removeAll('a');
  expect(await readdir(join(folder, 'tidy'))).toEqual([]);
});

test('a folder that becomes empty is not taken from under a put', async () => {
  const store = new FolderStore(join(folder, 'shared'));
  const byte = () => bodyOf(Buffer.alloc(1));
  for (let round = 0; round < 100; round += 1) {
    await Promise.all([store.put('base/one/blob', byte()), store.put('base/two/blob', byte())]);
    const removals = [store.removeAll('base/one'), store.removeAll('base/two')];
    await Promise.all([...removals, store.put('base/staying', byte())]);
    expect(await store.sizeOf('base/staying')).toBe(1);
    await store.removeAll('base');
  }
});

test('a failure of the folder leaves the rest of the body to the caller', async () => {
  const store = new FolderStore(root());
  await store.put('in-the-way', bodyOf(Buffer.alloc(1)));
  const body = bodyOf(random);
  await expect(store.put('in-the-way/blob', body)).rejects.toThrow('EEXIST');
  expect(body.destroyed).toBe(false);
});

test('files are closed when their readers go', async () => {
  const store = new FolderStore(root());
  await store.put('read', bodyOf(random));
  const openFiles = async () => (await readdir('/proc/self/fd')).length;
  const before = await openFiles();
  for (let times = 0; times < 20; times += 1) {
    const body = (await store.read('read'))!;
    await body.iterator().next();
    const closed = new Promise((close) => body.once('close', close));
    body.destroy();
    await closed;
  }
  expect(await openFiles()).toBeLessThan(before + 5);
});

test('what became shorter than was saved is not continued', async () => {
  const store = new FolderStore(root());
  let size = 0;
  const save = async (progress: { size: number }) => {
    size = progress.size;
  };
  await store.append('shortened', { size: 0 }, bodyOf(random.subarray(0, megabytes(1))), save);
  await truncate(join(root(), 'shortened~appended'), kilobytes(10));
  const again = store.append('shortened', { size }, bodyOf(random), save);
  await expect(again).rejects.toThrow('1048576 bytes were appended to shortened, but the store has 10240.');
  await expect(store.finishAppend('shortened', { size })).rejects.toThrow('the store has 10240');
});

test('clients cannot send to a folder themselves', async () => {
  expect(await new FolderStore(root()).presignPut()).toBeUndefined();
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be written is not reached', async () => {
  await chmod(folder, 0o500);
  await expect(new FolderStore(join(folder, 'new')).check()).rejects.toThrow('EACCES');
  await chmod(folder, 0o700);
});

test('a file in the place of the folder is not reached', async () => {
  await new FolderStore(root()).put('file', bodyOf(Buffer.alloc(1)));
  await expect(new FolderStore(join(root(), 'file')).check()).rejects.toThrow('EEXIST');
});
