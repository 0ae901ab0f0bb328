import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How often a folder is made again that was removed, being empty, before the file was in it. */
const tries = 10;

/** Opens a file for writing, making the folders above it. */
export async function openInFolders(path: string, root: string, flags: string | number): Promise<FileHandle> {
  for (let left = tries; ; left -= 1) {
    try {
      return await open(path, flags);
    } catch (error) {
      if (!isMissing(error) || left === 0) throw error;
      await makeFolders(dirname(path), root);
    }
  }
}

/** Makes a folder below the root. Their names become durable with the file's; that of the root does so here. */
export async function makeFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first !== undefined && first.length <= root.length) await syncFolders(root, dirname(first));
}

/**
 * Makes names durable: of the file, and of every folder above it up to the root. Also of folders that are not new here,
 * for another process may have made them a moment ago. A folder without changes takes microseconds.
 */
export async function syncFolders(path: string, root: string): Promise<void> {
  // One after the other: the first mostly does the work of all, and the threads that wait are few.
  for (let at = dirname(path); at.length >= root.length; at = dirname(at)) {
    await syncFolder(at);
    if (at === dirname(at)) return;
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows has no way to do it.
  if (process.platform === 'win32') return;
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    // Removed in the meantime, with all in it.
    if (!isMissing(error)) throw error;
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
