import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { RequestContext } from '../projects/index.ts';
import { storageFull, uploadNotFound } from './errors.ts';
import { type File, type NewFile, treeOf } from './file.ts';
import { storageLimitsOf } from './limits.ts';
import type { StorageServices } from './services.ts';
import { countByType, insertFiles, listHeldBy, removeFiles, takeSpace } from './store.ts';

/** Records staged files in the caller's transaction: with it they are there, without it they never were. */
export async function recordFiles(
  { project, db }: Pick<RequestContext, 'project' | 'db'>,
  files: readonly NewFile[],
  options: { heldBy?: string; wasReserved?: boolean } = {},
): Promise<File[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const trees = files.map(({ id }) => treeOf(project.id, id));
  const recorded = await insertFiles(db, files, trees, options.heldBy ?? null);
  if (!recorded) throw uploadNotFound();
  const { totalBytes } = storageLimitsOf(project);
  const space = { files: files.length, bytes, reserved: options.wasReserved ? -bytes : 0 };
  if (!(await takeSpace(db, space, totalBytes))) throw storageFull(totalBytes!);
  await countByType(db, files, 1);
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
  await countByType(db, removed, -1);
  db.afterCommit(onLoose);
  return removed.length;
}

/** Lets go of the files that came with a document or user and whose URL it no longer holds. */
export async function releaseUnheld(
  db: ProjectDb,
  holder: string,
  textNow: string,
  services: Pick<StorageServices, 'onLoose'>,
): Promise<{ remaining: number }> {
  const held = await listHeldBy(db, [holder]);
  const gone = held.filter(({ urlKey }) => !textNow.includes(urlKey));
  await releaseFiles(
    db,
    gone.map(({ id }) => id),
    services,
  );
  return { remaining: held.length - gone.length };
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
