import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { SaveProgress } from '../blob-store.ts';
import { BlockWriter } from '../block-writer.ts';

/** Large enough that the cost of the thread pool does not matter, small enough for many uploads at once. */
const blockSize = 262_144;
const saveEvery = 8_388_608;

/** Writes bodies into files. */
export class FileWriter {
  readonly #blocks = new BlockWriter();

  /** Writes the whole body; fails if the body does. */
  async writeBody(file: FileHandle, body: Readable): Promise<void> {
    let size = 0;
    const write = async (block: Buffer) => {
      await writeAt(file, block, size);
      size += block.length;
    };
    const rest = await this.#blocks.write(body, { size: blockSize, write });
    if (rest.failure) throw rest.failure.error;
    await write(rest.bytes);
  }

  /** Writes the body from an offset on. Saves how much is durable now and then, and at the end or failure. */
  async appendBody(file: FileHandle, from: number, body: Readable, save: SaveProgress): Promise<void> {
    let size = from;
    let saved = from;
    const saveAll = async () => {
      if (size === saved) return;
      await file.sync();
      await save({ size });
      saved = size;
    };
    const write = async (block: Buffer) => {
      await writeAt(file, block, size);
      size += block.length;
      if (size - saved >= saveEvery) await saveAll();
    };
    const rest = await this.#blocks.write(body, { size: blockSize, write });
    await write(rest.bytes);
    await saveAll();
    if (rest.failure) throw rest.failure.error;
  }
}

/** The system may take less than it was given. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
