import type { RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { FilesDeps } from './deps.ts';
import { storageFull, uploadNotFound } from './errors.ts';
import { type File, type NewFile, treeOf } from './file.ts';
import { fileLimitsOf } from './limits.ts';
import { countVariant, insertFiles, listHeldBy, removeFiles, uncountVariant } from './store.ts';
import { takeSpace, uncountByType } from './usage-store.ts';

interface Recording {
  /** The document or app user the files came with. */
  readonly heldBy?: string | null;
  /** Space that was set aside for them. */
  readonly reserved?: number;
}

/** Records staged files in the caller's transaction: they exist if it is committed. */
export async function recordFiles(
  { project, db }: Pick<RequestContext, 'project' | 'db'>,
  files: readonly NewFile[],
  { heldBy = null, reserved = 0 }: Recording = {},
): Promise<File[]> {
  const limit = fileLimitsOf(project).totalBytes;
  const trees = files.map(({ id }) => treeOf(project.id, id));
  const recorded = await insertFiles(db, files, { trees, heldBy, reserved, limit });
  if (!recorded.hasBytes) throw uploadNotFound();
  if (recorded.files.length === 0 && limit !== null) throw storageFull(limit);
  return recorded.files;
}

/** Records one staged file in the caller's transaction. */
export async function recordFile(
  context: Pick<RequestContext, 'project' | 'db'>,
  file: NewFile,
  recording: Recording = {},
): Promise<File> {
  const [recorded] = await recordFiles(context, [file], recording);
  if (!recorded) throw uploadNotFound();
  return recorded;
}

/** How many sizes and formats of one image are kept; others are made again each time. */
const keptVariants = 50;

/** Makes room for a resized image beside its file. False: it is not to be kept. */
export async function recordVariant(
  { project, db }: Pick<RequestContext, 'project' | 'db'>,
  fileId: string,
  bytes: number,
): Promise<boolean> {
  return db.transaction(async (db) => {
    if (!(await countVariant(db, fileId, { bytes, limit: keptVariants }))) return false;
    if (await takeSpace(db, { files: 0, bytes, reserved: 0 }, fileLimitsOf(project).totalBytes)) return true;
    await uncountVariant(db, fileId, bytes);
    return false;
  });
}

/** Releases files in the caller's transaction; their bytes are removed once it is committed. */
export async function releaseFiles(
  db: ProjectDb,
  ids: readonly string[],
  { onLoose }: Pick<FilesDeps, 'onLoose'>,
): Promise<number> {
  if (ids.length === 0) return 0;
  const removed = await removeFiles(db, ids);
  if (removed.length === 0) return 0;
  const bytes = removed.reduce((sum, { size, variantBytes }) => sum + size + variantBytes, 0);
  await takeSpace(db, { files: -removed.length, bytes: -bytes, reserved: 0 }, null);
  await uncountByType(db, removed);
  db.afterCommit(onLoose);
  return removed.length;
}

/**
 * Releases the files that came with documents or users whose text no longer holds their URLs. All are released at once,
 * so that calls about the same files lock them in the same order. Returns how many files each still has.
 */
export async function releaseUnheld(
  db: ProjectDb,
  textNow: ReadonlyMap<string, string>,
  deps: Pick<FilesDeps, 'onLoose'>,
): Promise<ReadonlyMap<string, number>> {
  const held = textNow.size === 0 ? [] : await listHeldBy(db, [...textNow.keys()]);
  const kept = new Map<string, number>();
  const gone: string[] = [];
  for (const { id, urlKey, heldBy } of held) {
    if (textNow.get(heldBy)?.includes(urlKey)) kept.set(heldBy, (kept.get(heldBy) ?? 0) + 1);
    else gone.push(id);
  }
  await releaseFiles(db, gone, deps);
  return kept;
}

/** Releases all files of documents or users that are deleted. */
export async function releaseHeldBy(
  db: ProjectDb,
  holders: readonly string[],
  deps: Pick<FilesDeps, 'onLoose'>,
): Promise<void> {
  if (holders.length === 0) return;
  const held = await listHeldBy(db, holders);
  await releaseFiles(
    db,
    held.map(({ id }) => id),
    deps,
  );
}
