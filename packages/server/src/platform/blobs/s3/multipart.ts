import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isMissing } from './client.ts';
import type { Bucket } from './objects.ts';

/** The smallest part that S3 takes, except for the last one. */
export const partSize = 5_242_880;

/** An object that is sent in parts, and can be read once it is complete. */
export interface MultipartUpload {
  readonly key: string;
  readonly id: string;
}

export interface Part {
  readonly etag: string;
  readonly size: number;
}

export async function startUpload({ client, name }: Bucket, key: string): Promise<MultipartUpload> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: name, Key: key }));
  if (UploadId === undefined) throw new Error(`The store began an upload of ${key} without an id.`);
  return { key, id: UploadId };
}

/** Numbers start at 1. A part of the same number that was there before is replaced. */
export async function uploadPart(
  { client, name }: Bucket,
  { key, id }: MultipartUpload,
  number: number,
  bytes: Uint8Array,
): Promise<Part> {
  const target = { Bucket: name, Key: key, UploadId: id, PartNumber: number };
  const { ETag } = await client.send(
    new UploadPartCommand({ ...target, Body: bytes, ContentLength: bytes.length }),
  );
  if (ETag === undefined) throw new Error(`The store took part ${number} of ${key} without a tag.`);
  return { etag: ETag, size: bytes.length };
}

export async function completeUpload(
  { client, name }: Bucket,
  { key, id }: MultipartUpload,
  parts: readonly Part[],
): Promise<void> {
  const Parts = parts.map(({ etag }, index) => ({ PartNumber: index + 1, ETag: etag }));
  await client.send(
    new CompleteMultipartUploadCommand({
      Bucket: name,
      Key: key,
      UploadId: id,
      MultipartUpload: { Parts },
    }),
  );
}

export async function abortUpload({ client, name }: Bucket, { key, id }: MultipartUpload): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: id }));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Aborts every upload whose key starts with `start` and that `isMeant`; their parts are removed. */
export async function abortUploads(
  bucket: Bucket,
  start: string,
  isMeant: (key: string) => boolean = () => true,
): Promise<void> {
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined;
  do {
    const page = await bucket.client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: start, ...after }),
    );
    const uploads = (page.Uploads ?? []).map(({ Key = '', UploadId = '' }) => ({ key: Key, id: UploadId }));
    await Promise.all(uploads.filter(({ key }) => isMeant(key)).map((upload) => abortUpload(bucket, upload)));
    after = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  } while (after);
}
