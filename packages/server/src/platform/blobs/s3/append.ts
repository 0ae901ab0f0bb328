import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { AppendProgress, SaveProgress } from '../blob-store.ts';
import { ownMark } from '../checked-arguments.ts';
import { isMissing } from './client.ts';
import { abortUploads, completeUpload, partSize, startUpload, uploadPart } from './multipart.ts';
import { type Bucket, putBytes, readBytes, removeObjects, sizeOfObject } from './objects.ts';

/**
 * How far an append has come: all that a node needs to continue it. Full parts are in a multipart upload. The bytes after
 * them, too few for a part, are the tail: an object of its own beside the key, under a new name each time, so that what was
 * saved before stays true until the next save.
 */
const State = Type.Object({
  uploadId: Type.Optional(Type.String()),
  parts: Type.Array(Type.Object({ etag: Type.String(), size: Type.Integer() })),
  tail: Type.Optional(Type.Object({ name: Type.String(), size: Type.Integer() })),
});
type State = Static<typeof State>;

const nothing: State = { parts: [] };
const tailsOf = (key: string) => `${key}${ownMark}tail.`;

/** Adds the body. Parts that a call sent but did not save are overwritten: the next ones get the same numbers. */
export async function appendToObject(
  bucket: Bucket,
  key: string,
  from: AppendProgress,
  body: Readable,
  save: SaveProgress,
): Promise<void> {
  const before = stateOf(from);
  const begin = await readTail(bucket, key, before);
  const parts = [...before.parts];
  let { uploadId } = before;
  let size = from.size - begin.length;
  const write = async (block: Buffer) => {
    uploadId ??= (await startUpload(bucket, key)).id;
    parts.push(await uploadPart(bucket, { key, id: uploadId }, parts.length + 1, block));
    size += block.length;
    await save({ size, state: { uploadId, parts: [...parts] } satisfies State });
  };
  const { bytes, failure } = await bucket.blocks.write(body, { size: partSize, begin, write });
  size += bytes.length;
  if (bytes.length > 0 && size > from.size) {
    const tail = { name: randomUUID(), size: bytes.length };
    await putBytes(bucket, tailsOf(key) + tail.name, bytes);
    await save({ size, state: { ...(uploadId !== undefined && { uploadId }), parts, tail } satisfies State });
  }
  if (before.tail && size > from.size) await removeTail(bucket, key, before.tail.name);
  if (failure) throw failure.error;
}

/** Makes one object of parts and tail. It can be repeated. */
export async function finishObject(bucket: Bucket, key: string, progress: AppendProgress): Promise<void> {
  const state = stateOf(progress);
  const { uploadId, parts } = state;
  try {
    const bytes = await readTail(bucket, key, state);
    if (uploadId === undefined) {
      await putBytes(bucket, key, bytes);
    } else {
      const upload = { key, id: uploadId };
      const last = bytes.length > 0 ? [await uploadPart(bucket, upload, parts.length + 1, bytes)] : [];
      await completeUpload(bucket, upload, [...parts, ...last]);
    }
  } catch (error) {
    // An earlier call, whose answer was lost, may have done it.
    if (!isMissing(error) || (await sizeOfObject(bucket, key)) !== progress.size) throw error;
  }
  // Calls that ended with their node left tails and uploads that no saved progress mentions.
  await removeObjects(bucket, tailsOf(key));
  await abortUploads(bucket, key, (found) => found === key);
}

function stateOf({ size, state = nothing }: AppendProgress): State {
  if (!Value.Check(State, state)) throw new Error('The progress of an append is not that of a bucket.');
  const sum = state.parts.reduce((sum, part) => sum + part.size, state.tail?.size ?? 0);
  if (sum !== size) throw new Error(`Of ${size} appended bytes, ${sum} are accounted for.`);
  return state;
}

async function readTail(bucket: Bucket, key: string, { tail }: State): Promise<Uint8Array> {
  if (!tail) return Buffer.alloc(0);
  const bytes = await readBytes(bucket, tailsOf(key) + tail.name);
  if (bytes.length === tail.size) return bytes;
  throw new Error(`The tail of ${key} should have ${tail.size} bytes, and has ${bytes.length}.`);
}

/** If this fails, the tail is removed when the append is finished. */
async function removeTail(bucket: Bucket, key: string, name: string): Promise<void> {
  await removeObjects(bucket, tailsOf(key) + name).catch(() => {});
}
