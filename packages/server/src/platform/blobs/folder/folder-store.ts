import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, type FileHandle, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { AppendProgress, BlobStore, ByteRange, SaveProgress } from '../blob-store.ts';
import { expectErrors } from '../block-writer.ts';
import { checkKey, checkRange, ownMark } from '../checked-arguments.ts';
import { isMissing, makeFolders, openInFolders, syncFolder, syncFolders } from './durable-folders.ts';
import { FileWriter } from './file-writer.ts';

const readSize = 262_144;

/**
 * Blobs as files in a folder, with the key as path. What is half written is beside its place, under a name that no key can
 * have, and is renamed once it is whole and durable.
 */
export class FolderStore implements BlobStore {
  readonly description: string;
  readonly #root: string;
  readonly #writer = new FileWriter();

  constructor(folder: string) {
    this.#root = resolve(folder);
    this.description = `folder ${this.#root}`;
  }

  async put(key: string, body: Readable): Promise<void> {
    expectErrors(body);
    await this.#replace(this.#pathOf(key), (file) => this.#writer.writeBody(file, body));
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    if (range) checkRange(range);
    const file = await whereThere(open(this.#pathOf(key), 'r'));
    if (!file) return undefined;
    if ((await file.stat()).isFile()) return file.createReadStream({ ...range, highWaterMark: readSize });
    await file.close();
    return undefined;
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await whereThere(stat(this.#pathOf(key)));
    return found?.isFile() ? found.size : undefined;
  }

  async copy(from: string, to: string): Promise<boolean> {
    const source = this.#pathOf(from);
    // A file system that can share blocks between both files does so.
    const copy = (_: FileHandle, path: string) => copyFile(source, path, constants.COPYFILE_FICLONE);
    try {
      await this.#replace(this.#pathOf(to), copy);
      return true;
    } catch (error) {
      if (isMissing(error) && (await this.sizeOf(from)) === undefined) return false;
      throw error;
    }
  }

  async removeAll(prefix: string): Promise<void> {
    const folder = this.#pathOf(prefix);
    if (!(await whereThere(stat(folder)))?.isDirectory()) return;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await syncFolder(await this.#tidyAbove(folder));
  }

  async append(key: string, from: AppendProgress, body: Readable, save: SaveProgress): Promise<void> {
    expectErrors(body);
    const path = appendedPath(this.#pathOf(key));
    const isNew = from.size === 0;
    const flags = isNew ? constants.O_RDWR | constants.O_CREAT : constants.O_RDWR;
    await using file = isNew ? await openInFolders(path, this.#root, flags) : await open(path, flags);
    if (isNew) await syncFolders(path, this.#root);
    else await checkLength(file, from, key);
    await this.#writer.appendBody(file, from.size, body, save);
  }

  async finishAppend(key: string, progress: AppendProgress): Promise<void> {
    const target = this.#pathOf(key);
    const file = await whereThere(open(appendedPath(target), 'r+'));
    if (!file) return this.#finishWithoutFile(key, progress);
    try {
      await checkLength(file, progress, key);
      await file.truncate(progress.size);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(appendedPath(target), target);
    await syncFolders(target, this.#root);
  }

  /** A folder has no address for clients: the service has to take the bytes itself. */
  async presignPut(): Promise<undefined> {}

  async check(): Promise<void> {
    await makeFolders(this.#root, this.#root);
    await access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  async close(): Promise<void> {}

  #pathOf(key: string): string {
    return join(this.#root, ...checkKey(key).split('/'));
  }

  /** Readers see the old content until all of the new is durable. */
  async #replace(target: string, fill: (file: FileHandle, path: string) => Promise<void>): Promise<void> {
    const part = `${target}${ownMark}${randomUUID()}`;
    const file = await openInFolders(part, this.#root, 'wx');
    try {
      await fill(file, part);
      await file.sync();
      await file.close();
      await rename(part, target);
    } catch (error) {
      await file.close();
      await rm(part, { force: true });
      throw error;
    }
    await syncFolders(target, this.#root);
  }

  /** Either an earlier call, whose answer was lost, has done it, or nothing was ever appended. */
  async #finishWithoutFile(key: string, progress: AppendProgress): Promise<void> {
    const target = this.#pathOf(key);
    if ((await this.sizeOf(key)) === progress.size) return syncFolders(target, this.#root);
    if (progress.size > 0) throw new Error(`What was appended to ${key} is gone.`);
    await this.#replace(target, async () => {});
  }

  /**
   * Removes the folders that became empty; returns the first that stayed. No file is lost: a folder with files stays, and
   * whoever wants to write into a removed one makes it again.
   */
  async #tidyAbove(path: string): Promise<string> {
    let folder = dirname(path);
    for (; folder.length > this.#root.length; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!isMissing(error)) break;
      }
    }
    return folder;
  }
}

const appendedPath = (path: string) => `${path}${ownMark}appended`;

/** A file shorter than was saved means that the folder was changed from outside; going on would leave a hole. */
async function checkLength(file: FileHandle, progress: AppendProgress, key: string): Promise<void> {
  const { size } = await file.stat();
  if (size < progress.size) {
    throw new Error(`${progress.size} bytes were appended to ${key}, but the store has ${size}.`);
  }
}

async function whereThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
