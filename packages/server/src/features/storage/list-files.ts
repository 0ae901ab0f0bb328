import type { Page } from '../../platform/http/answer.ts';
import type { RequestContext } from '../projects/index.ts';
import { readPage } from '../query/index.ts';
import { fileNotFound } from './errors.ts';
import { type File, isUuid } from './file.ts';
import { kindOf } from './file-kinds.ts';
import { checkPath } from './file-name.ts';
import { storageLimitsOf } from './limits.ts';
import { releaseFiles } from './record-files.ts';
import type { StorageServices } from './services.ts';
import { countFiles, findFile, listFiles, listFolders, readUsage } from './store.ts';
import { visibleUploader } from './upload-rights.ts';

const listedFolders = 1000;

/** The files of one folder, newest first, and the folders in it. */
export async function listFolder(
  context: RequestContext,
  queryString: string,
): Promise<{ files: File[]; folders: string[]; page: Page }> {
  const { db } = context;
  const { limit, offset, texts } = await readPage(queryString, {
    defaultLimit: 20,
    maxLimit: 100,
    also: ['path'],
  });
  const folder = { path: checkPath(texts.path ?? ''), uploadedBy: visibleUploader(context) };
  const [found, total, folders] = await Promise.all([
    listFiles(db, folder, { limit: limit + 1, offset }),
    countFiles(db, folder),
    listFolders(db, folder, listedFolders),
  ]);
  const hasMore = found.length > limit;
  const page = { total, totalIsFloor: false, limit, offset, hasMore, nextCursor: null };
  return { files: found.slice(0, limit), folders, page };
}

/** A file that the caller may see. */
export async function getFile(context: RequestContext, id: string): Promise<File> {
  const file = isUuid(id) ? await findFile(context.db, id) : undefined;
  const uploader = visibleUploader(context);
  if (!file || (uploader !== undefined && file.uploadedBy !== uploader)) throw fileNotFound(id);
  return file;
}

export async function deleteFile(
  services: StorageServices,
  context: RequestContext,
  id: string,
): Promise<void> {
  await context.db.transaction(async (db) => {
    await getFile({ ...context, db }, id);
    if ((await releaseFiles(db, [id], services)) === 0) throw fileNotFound(id);
  });
}

/** How much the project stores, and how much it may. */
export async function storageInfo({ db, project }: RequestContext) {
  const { files, bytes, reserved, types } = await readUsage(db);
  const limit = storageLimitsOf(project).totalBytes;
  return {
    used: bytes,
    limit,
    // What uploads under way were promised is not to be had.
    available: limit === null ? null : Math.max(0, limit - bytes - reserved),
    files,
    byType: Object.fromEntries(
      types.map(({ extension, files, bytes }) => [kindOf(extension).contentType, { files, bytes }]),
    ),
  };
}
