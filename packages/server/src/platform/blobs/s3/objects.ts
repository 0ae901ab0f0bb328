import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { BlockWriter } from '../block-writer.ts';
import { isMissing } from './client.ts';

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Cuts bodies into parts. */
  readonly blocks: BlockWriter;
}

export async function putBytes({ client, name }: Bucket, key: string, bytes: Uint8Array): Promise<void> {
  await client.send(
    new PutObjectCommand({ Bucket: name, Key: key, Body: bytes, ContentLength: bytes.length }),
  );
}

/** The whole of a small object; fails if there is none. */
export async function readBytes({ client, name }: Bucket, key: string): Promise<Uint8Array> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
  if (!Body) throw new Error(`The store answered without the bytes of ${key}.`);
  return Body.transformToByteArray();
}

export async function sizeOfObject({ client, name }: Bucket, key: string): Promise<number | undefined> {
  try {
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: name, Key: key }));
    return ContentLength;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes every object whose key starts with `start`. */
export async function removeObjects({ client, name }: Bucket, start: string): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: name, Prefix: start })) {
    if (Contents.length === 0) continue;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }),
    );
    if (Errors[0])
      throw new Error(`${Errors[0].Key} was not removed: ${Errors[0].Message ?? Errors[0].Code}`);
  }
}
