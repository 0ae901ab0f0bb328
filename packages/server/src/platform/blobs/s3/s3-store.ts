import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { AppendProgress, BlobStore, ByteRange, PresignOptions, SaveProgress } from '../blob-store.ts';
import { BlockWriter, expectErrors } from '../block-writer.ts';
import { checkKey, checkRange } from '../checked-arguments.ts';
import { appendToObject, finishObject } from './append.ts';
import { createS3Client, isMissing, type S3Options } from './client.ts';
import { abortUploads } from './multipart.ts';
import { type Bucket, removeObjects, sizeOfObject } from './objects.ts';
import { putObject } from './put.ts';

const checkLimitMs = 5000;

/** Blobs as objects of a bucket, on AWS or another store that speaks S3. Holds nothing but connections. */
export class S3Store implements BlobStore {
  readonly description: string;
  readonly #bucket: Bucket;
  readonly #start: string;

  constructor(options: S3Options) {
    this.#bucket = {
      client: createS3Client(options),
      name: options.bucket,
      blocks: new BlockWriter(),
    };
    this.#start = options.prefix === undefined ? '' : `${checkKey(options.prefix)}/`;
    this.description = `bucket ${options.bucket}${options.endpoint === undefined ? '' : ` at ${options.endpoint}`}`;
  }

  async put(key: string, body: Readable): Promise<void> {
    expectErrors(body);
    await putObject(this.#bucket, this.#keyOf(key), body);
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    if (range) checkRange(range);
    const wanted = range && { Range: `bytes=${range.start}-${range.end}` };
    try {
      const { Body } = await this.#bucket.client.send(
        new GetObjectCommand({ ...this.#address(key), ...wanted }),
      );
      if (!(Body instanceof Readable)) throw new Error(`The store answered without the bytes of ${key}.`);
      return Body;
    } catch (error) {
      if (isMissing(error)) return undefined;
      // The range starts after the last byte.
      if (error instanceof S3ServiceException && error.name === 'InvalidRange') return Readable.from([]);
      throw error;
    }
  }

  async sizeOf(key: string): Promise<number | undefined> {
    return sizeOfObject(this.#bucket, this.#keyOf(key));
  }

  async copy(from: string, to: string): Promise<boolean> {
    const CopySource = `${this.#bucket.name}/${this.#keyOf(from)}`;
    try {
      await this.#bucket.client.send(new CopyObjectCommand({ ...this.#address(to), CopySource }));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Uploads come first: one that completed after the objects were listed would stay. */
  async removeAll(prefix: string): Promise<void> {
    const start = `${this.#keyOf(prefix)}/`;
    await abortUploads(this.#bucket, start);
    await removeObjects(this.#bucket, start);
  }

  async append(key: string, from: AppendProgress, body: Readable, save: SaveProgress): Promise<void> {
    expectErrors(body);
    await appendToObject(this.#bucket, this.#keyOf(key), from, body, save);
  }

  async finishAppend(key: string, progress: AppendProgress): Promise<void> {
    await finishObject(this.#bucket, this.#keyOf(key), progress);
  }

  /** The length is among the signed headers, so the signature fits no other length. */
  async presignPut(key: string, { size, expiresInSeconds }: PresignOptions): Promise<string> {
    const command = new PutObjectCommand({ ...this.#address(key), ContentLength: size });
    return getSignedUrl(this.#bucket.client, command, { expiresIn: expiresInSeconds });
  }

  async check(): Promise<void> {
    const abortSignal = AbortSignal.timeout(checkLimitMs);
    await this.#bucket.client.send(new HeadBucketCommand({ Bucket: this.#bucket.name }), { abortSignal });
  }

  async close(): Promise<void> {
    this.#bucket.client.destroy();
  }

  #keyOf(key: string): string {
    return `${this.#start}${checkKey(key)}`;
  }

  #address(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket.name, Key: this.#keyOf(key) };
  }
}
