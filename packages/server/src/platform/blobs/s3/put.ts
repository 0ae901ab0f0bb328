import type { Readable } from 'node:stream';
import {
  abortUpload,
  completeUpload,
  type MultipartUpload,
  type Part,
  partSize,
  startUpload,
  uploadPart,
} from './multipart.ts';
import { type Bucket, putBytes } from './objects.ts';

/** Stores a body of unknown length: in one call if it is shorter than a part, else in parts. */
export async function putObject(bucket: Bucket, key: string, body: Readable): Promise<void> {
  const parts: Part[] = [];
  let upload: MultipartUpload | undefined;
  const send = async (block: Buffer) => {
    upload ??= await startUpload(bucket, key);
    parts.push(await uploadPart(bucket, upload, parts.length + 1, block));
  };
  try {
    const { bytes, failure } = await bucket.blocks.write(body, { size: partSize, write: send });
    if (failure) throw failure.error;
    if (!upload) return await putBytes(bucket, key, bytes);
    if (bytes.length > 0) await send(bytes);
    await completeUpload(bucket, upload, parts);
  } catch (error) {
    // If this fails too, the next `removeAll` removes the parts.
    if (upload) await abortUpload(bucket, upload).catch(() => {});
    throw error;
  }
}
