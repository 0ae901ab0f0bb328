import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';

/** What a store of files has to do, in this order. */
export type BlobStep = 'write' | 'read' | 'delete';

/** A store that does not do what it has to. */
export class BlobStepError extends Error {
  readonly step: BlobStep;

  constructor(step: BlobStep, cause: unknown) {
    super(cause instanceof Error ? cause.message || cause.name : String(cause), { cause });
    this.step = step;
  }
}

/** Projects have numbers for folders: nothing of theirs is under this name. */
const folder = 'plinth-doctor';

/** Writes an object of a few bytes, reads it and removes it. */
export async function tryBlobStore(store: BlobStore): Promise<void> {
  const prefix = `${folder}/${randomUUID()}`;
  const key = `${prefix}/probe`;
  const bytes = Buffer.from(randomUUID());
  const step = async <Result>(name: BlobStep, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new BlobStepError(name, error);
    }
  };
  await step('write', () => store.put(key, Readable.from([bytes])));
  try {
    await step('read', async () => {
      const body = await store.read(key);
      if (!body || !bytes.equals(await buffer(body)))
        throw new Error('What was written could not be read again.');
    });
  } finally {
    await step('delete', () => store.removeAll(prefix));
  }
}
