import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { RequestContext } from '../projects/index.ts';
import { storageFull, uploadNotFound } from './errors.ts';
import { type File, type NewFile, treeOf } from './file.ts';
import { storageLimitsOf } from './limits.ts';
import type { StorageServices } from './services.ts';
import { insertFiles, listHeldBy, removeFiles, takeSpace, uncountByType } from './store.ts';

/** Records staged files in the caller's transaction: with it they are there, without it they never were. */
export async function recordFiles(
  { project, db }: Pick<RequestContext, 'project' | 'db'>,
  files: readonly NewFile[],
  { heldBy = null, reserved = 0 }: { heldBy?: string | null; reserved?: number } = {},
): Promise<File[]> {
  const limit = storageLimitsOf(project).totalBytes;
  const trees = files.map(({ id }) => treeOf(project.id, id));
  const recorded = await insertFiles(db, files, { trees, heldBy, reserved, limit });
  if (recorded === 'given up') throw uploadNotFound();
  if (recorded === 'no space') throw storageFull(limit!);
  return recorded;
}

/** Lets go of files in the caller's transaction; their bytes go once it is committed. */
export async function releaseFiles(
  db: ProjectDb,
  ids: readonly string[],
  { onLoose }: Pick<StorageServices, 'onLoose'>,
): Promise<number> {
  if (ids.length === 0) return 0;
  const removed = await removeFiles(db, ids);
  if (removed.length === 0) return 0;
  const bytes = removed.reduce((sum, { size }) => sum + size, 0);
  await takeSpace(db, { files: -removed.length, bytes: -bytes, reserved: 0 }, null);
  await uncountByType(db, removed);
  db.afterCommit(onLoose);
  return removed.length;
}

/**
 * Lets go of the files that came with documents or users and whose URLs they no longer hold, all at once so that calls
 * about the same files wait for one another in one order. Says how many files each still has.
 */
export async function releaseUnheld(
  db: ProjectDb,
  textNow: ReadonlyMap<string, string>,
  services: Pick<StorageServices, 'onLoose'>,
): Promise<ReadonlyMap<string, number>> {
  const held = textNow.size === 0 ? [] : await listHeldBy(db, [...textNow.keys()]);
  const kept = new Map<string, number>();
  const gone: string[] = [];
  for (const { id, urlKey, heldBy } of held) {
    if (textNow.get(heldBy!)!.includes(urlKey)) kept.set(heldBy!, (kept.get(heldBy!) ?? 0) + 1);
    else gone.push(id);
  }
  await releaseFiles(db, gone, services);
  return kept;
}

/** Lets go of all files of documents or users that are deleted. */
export async function releaseHeldBy(
  db: ProjectDb,
  holders: readonly string[],
  services: Pick<StorageServices, 'onLoose'>,
): Promise<void> {
  if (holders.length === 0) return;
  const held = await listHeldBy(db, holders);
  await releaseFiles(
    db,
    held.map(({ id }) => id),
    services,
  );
}
