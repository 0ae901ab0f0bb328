import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Code } from './invocation.ts';

/** Text files by their names. */
export type Files = Readonly<Record<string, string>>;

/** Bytes of code that one machine keeps on its disk. */
const mostBytes = 1024 * 1_048_576;

interface Folder {
  readonly path: string;
  readonly bytes: number;
}

/** The name of a version: what its files are, and nothing else. */
export function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(files).toSorted()) hash.update(JSON.stringify([name, files[name]]));
  return hash.digest('hex').slice(0, 32);
}

/** Puts the code of projects on the disk, from where processes read it, and keeps what was used last. */
export class CodeFolders {
  readonly #folders = new LRUCache<string, Folder>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: ({ path }) => void rm(path, { recursive: true, force: true }).catch(() => {}),
  });
  readonly #writing = new Map<string, Promise<string>>();
  #base: string | undefined;
  #written = 0;

  /** A version of a project's code; its files are asked for where they are not here yet. */
  async place(project: string, version: string, read: () => Promise<Files>): Promise<Code> {
    return { project, version, folder: await this.#folder(`${project}-${version}`, read) };
  }

  async close(): Promise<void> {
    if (this.#base !== undefined) await rm(this.#base, { recursive: true, force: true });
  }

  async #folder(name: string, read: () => Promise<Files>): Promise<string> {
    const known = this.#folders.get(name);
    if (known) return known.path;
    const writing = this.#writing.get(name) ?? this.#write(name, read);
    this.#writing.set(name, writing);
    return writing.finally(() => this.#writing.delete(name));
  }

  async #write(name: string, read: () => Promise<Files>): Promise<string> {
    // Processes may run as other users: they pass through, and read what they are given the name of.
    if (this.#base === undefined) {
      this.#base = mkdtempSync(join(tmpdir(), 'plinth-code-'));
      chmodSync(this.#base, 0o711);
    }
    // Never one that was there before: it may just be being removed.
    this.#written += 1;
    const path = join(this.#base, `${name}-${this.#written}`);
    await mkdir(path, { recursive: true, mode: 0o755 });
    const files = Object.entries(await read());
    await Promise.all(files.map(([file, text]) => writeFile(join(path, file), text, { mode: 0o644 })));
    this.#folders.set(name, { path, bytes: files.reduce((sum, [, text]) => sum + text.length, 0) });
    return path;
  }
}
