import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import { untilNoLooseBytes } from '../../support/files/loose.ts';
import type { TestApp } from '../../support/test-app.ts';

export interface Usage {
  readonly files: number;
  readonly used: number;
  readonly available: number | null;
}

export const usageOf = async (api: Client): Promise<Usage> => (await api.get('/storage/info')).body.data;

/** Nothing that was refused or given up has left bytes, and nothing lies in the store that no record knows. */
export async function expectTidy(t: TestApp): Promise<void> {
  await untilNoLooseBytes(t);
  await expect.poll(() => orphans(t)).toEqual([]);
}

/** What lies in the blob store without a row that knows of it: it would stay for ever. */
export async function orphans(t: TestApp): Promise<string[]> {
  const folder = t.config.FILES_FOLDER!;
  const entries = await entriesOf(folder);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name));
  // Read after the folder: a row is written before its bytes are.
  const known = new Set<string>();
  for (const number of t.cells.numbers) {
    const { rows } = await t.cells
      .pool(number)
      .query<{ tree: string }>(
        `SELECT project_id || '/' || id AS tree FROM cell.files UNION SELECT tree FROM cell.loose_blobs`,
      );
    for (const { tree } of rows) known.add(tree);
  }
  return files.filter((name) => !known.has(name.split('/').slice(0, 2).join('/')));
}

/** A folder can go while it is being read. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** A project of the free tier with room for so many bytes more. */
export async function leaveRoom(
  t: TestApp,
  { ref, cell }: { ref: string; cell: number },
  room: number,
): Promise<void> {
  const { rows } = await t.cells.pool(1).query('SELECT id FROM control.projects WHERE ref = $1', [ref]);
  await t.cells.pool(cell).query(
    `INSERT INTO cell.storage_usage (project_id, bytes) VALUES ($1, $2)
     ON CONFLICT (project_id) DO UPDATE SET bytes = excluded.bytes`,
    [rows[0].id, 1024 ** 3 - room],
  );
}

/** Errors that would have ended the process, had the test runner not caught them. */
export function watchProcess(): { errors: unknown[]; stop(): void } {
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  return {
    errors,
    stop() {
      process.off('uncaughtException', note);
      process.off('unhandledRejection', note);
    },
  };
}
