// @postgres newest
// @needs s3
import { randomUUID } from 'node:crypto';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createS3Client } from '../../../src/platform/blobs/s3/client.ts';
import { S3Store } from '../../../src/platform/blobs/s3/s3-store.ts';
import type { TestBucket } from '../../support/new-bucket.ts';
import { testBucket } from '../../support/test-bucket.ts';
import { testAppending } from './append-contract.ts';
import { bodyOf, contentOf, failingBody, kilobytes, megabytes } from './bodies.ts';
import { random, testBlobStore } from './contract.ts';

let bucket: TestBucket;
let store: S3Store;
let client: S3Client;
beforeAll(async () => {
  bucket = await testBucket();
  store = new S3Store(bucket);
  client = createS3Client(bucket);
});
afterAll(async () => {
  await store.close();
  client.destroy();
});

/** Objects that are not blobs, and multipart uploads that were not completed. */
async function halfWritten(prefix: string): Promise<string[]> {
  const where = { Bucket: bucket.bucket, Prefix: `${prefix}/` };
  const { Contents = [] } = await client.send(new ListObjectsV2Command(where));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(where));
  return [...Contents.filter(({ Key }) => Key!.includes('~')), ...Uploads].map(({ Key }) => Key!);
}

const openBucket = async () => ({ store, halfWritten });
testBlobStore(openBucket);
testAppending(openBucket, { runs: 8 });

/** Has lists come in pages of ten, not of a thousand; says how many pages were asked for. */
function shortPages() {
  const asked = { objects: 0, uploads: 0 };
  const send = Reflect.get(S3Client.prototype, 'send') as (...args: unknown[]) => void;
  const spy = vi.spyOn(S3Client.prototype, 'send').mockImplementation(function (this: S3Client, ...args) {
    const [command] = args as unknown[];
    if (command instanceof ListObjectsV2Command) {
      command.input.MaxKeys = 10;
      asked.objects += 1;
    } else if (command instanceof ListMultipartUploadsCommand) {
      command.input.MaxUploads = 10;
      asked.uploads += 1;
    }
    return send.apply(this, args);
  });
  return { asked, [Symbol.dispose]: () => spy.mockRestore() };
}

test('more blobs and unfinished uploads than two pages are removed', async () => {
  const prefix = `many/${randomUUID()}`;
  const names = Array.from({ length: 25 }, (_, index) => `${prefix}/${index}`);
  const startUpload = (Key: string) =>
    client.send(new CreateMultipartUploadCommand({ Bucket: bucket.bucket, Key }));
  await Promise.all(names.map((name) => store.put(name, bodyOf(Buffer.from('x')))));
  await Promise.all(names.map(startUpload));
  {
    using pages = shortPages();
    await store.removeAll(prefix);
    expect(pages.asked).toEqual({ objects: 3, uploads: 3 });
  }
  expect(await halfWritten(prefix)).toEqual([]);
  const left = await client.send(new ListObjectsV2Command({ Bucket: bucket.bucket, Prefix: `${prefix}/` }));
  expect(left.KeyCount).toBe(0);
});

test('keys of a store with a prefix are below it', async () => {
  const below = new S3Store({ ...bucket, prefix: 'one/two' });
  await below.put('a/b', bodyOf(Buffer.from('below')));
  expect(await below.copy('a/b', 'a/c')).toBe(true);
  expect((await contentOf(await store.read('one/two/a/c')))!.toString()).toBe('below');
  await below.removeAll('a');
  expect(await store.sizeOf('one/two/a/b')).toBeUndefined();
  await below.close();
});

test('a wrong secret is refused, and does not look like a missing blob', async () => {
  const credentials = { ...bucket.credentials, secretAccessKey: 'wrong' };
  const stranger = new S3Store({ ...bucket, credentials });
  const body = bodyOf(random);
  await expect(stranger.put('a/b', body)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  expect(body.destroyed).toBe(false);
  await expect(stranger.read('a/b')).rejects.toThrow();
  await expect(stranger.sizeOf('a/b')).rejects.toThrow();
  await expect(stranger.copy('a/b', 'a/c')).rejects.toThrow();
  await expect(stranger.removeAll('a')).rejects.toThrow();
  await expect(stranger.check()).rejects.toThrow();
  await stranger.close();
});

test('a bucket that is not there is not an empty one', async () => {
  const nowhere = new S3Store({ ...bucket, bucket: 'not-there' });
  await expect(nowhere.check()).rejects.toThrow();
  await expect(nowhere.read('a/b')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await expect(nowhere.put('a/b', bodyOf(random))).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await nowhere.close();
});

test('a store that does not answer fails calls, and does not hang them', async () => {
  const away = new S3Store({ ...bucket, endpoint: 'http://127.0.0.1:9' });
  await expect(away.check()).rejects.toThrow();
  await expect(away.put('a/b', bodyOf(random))).rejects.toThrow();
  const failure = new Error('cut off');
  await expect(away.put('a/b', failingBody(random.subarray(0, megabytes(1)), failure))).rejects.toBe(failure);
  await away.close();
});

test('connections end when readers go', async () => {
  const reading = new S3Store(bucket);
  const key = `read/${randomUUID()}`;
  await store.put(key, bodyOf(random));
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const before = sockets();
  const bodies = await Promise.all(Array.from({ length: 20 }, () => reading.read(key)));
  expect(sockets()).toBeGreaterThanOrEqual(before + 20);
  for (const body of bodies) {
    await body!.iterator({ destroyOnReturn: false }).next();
    body!.destroy();
  }
  await expect.poll(sockets).toBeLessThanOrEqual(before);
  await reading.close();
});

const bytes = random.subarray(0, kilobytes(500));
const send = (url: string, body: Buffer | ReadableStream) =>
  fetch(url, { method: 'PUT', body, duplex: 'half' });

test('a client sends exactly what was agreed to a presigned address', async () => {
  const key = `presigned/${randomUUID()}/bytes`;
  const url = await store.presignPut(key, { size: bytes.length, expiresInSeconds: 60 });
  for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)]) {
    expect((await send(url, wrong)).status).toBe(403);
  }
  const ofUnknownLength = new Blob([bytes]).stream();
  expect((await send(url, ofUnknownLength)).ok).toBe(false);
  expect(await store.sizeOf(key)).toBeUndefined();
  expect((await send(url, bytes)).status).toBe(200);
  expect((await contentOf(await store.read(key)))!.equals(bytes)).toBe(true);
});

test('a presigned address is for one key, one method and a time', async () => {
  const key = `presigned/${randomUUID()}/bytes`;
  const url = await store.presignPut(key, { size: bytes.length, expiresInSeconds: 60 });
  const other = url.replace('/bytes?', '/other?');
  expect((await send(other, bytes)).status).toBe(403);
  expect((await fetch(url)).status).toBe(403);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 120_000 });
  const expired = await store.presignPut(key, { size: bytes.length, expiresInSeconds: 60 });
  vi.useRealTimers();
  expect((await send(expired, bytes)).status).toBe(403);
  expect(await store.sizeOf(key)).toBeUndefined();
});
