import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How often a folder is made again if it is removed, being empty, before the file is in it. */
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

/** Makes a folder below the root. Its name becomes durable with the file's; that of the root does so here. */
export async function makeFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first !== undefined && first.length <= root.length) await syncFolders(root, dirname(first));
}

/**
 * Makes names durable: that of the file and those of all folders above it up to the root, including folders that were
 * there before: another process may have made them a moment ago. A folder without changes takes microseconds.
 */
export async function syncFolders(path: string, root: string): Promise<void> {
  // One after the other: the first usually does the work of all, and there are few threads to block.
  for (let at = dirname(path); at.length >= root.length; at = dirname(at)) {
    await syncFolder(at);
    if (at === dirname(at)) return;
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot do this.
  if (process.platform === 'win32') return;
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    // Removed meanwhile, with everything in it.
    if (!isMissing(error)) throw error;
  }
}

export function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}
