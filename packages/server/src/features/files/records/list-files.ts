import { type PageInfo, type RequestContext, readPage } from '../../../calls/index.ts';
import { kindOf } from '../kinds/index.ts';
import type { FilesDeps } from './deps.ts';
import { fileNotFound } from './errors.ts';
import { type File, isUuid } from './file.ts';
import { checkPath } from './file-name.ts';
import { fileLimitsOf } from './limits.ts';
import { releaseFiles } from './record-files.ts';
import { visibleUploader } from './rights.ts';
import { countFiles, findFile, listFiles, listFolders } from './store.ts';
import { readUsage } from './usage-store.ts';

const listedFolders = 1000;

/** The files of one folder, newest first, and the folders in it. */
export async function listFolder(
  context: RequestContext,
  queryString: string,
): Promise<{ files: File[]; folders: string[]; page: PageInfo }> {
  const { db } = context;
  const { limit, offset, texts } = await readPage(queryString, { also: ['path'] });
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

export async function deleteFile(deps: FilesDeps, context: RequestContext, id: string): Promise<void> {
  await context.db.transaction(async (db) => {
    await getFile({ ...context, db }, id);
    if ((await releaseFiles(db, [id], deps)) === 0) throw fileNotFound(id);
  });
}

/** How much the project stores, and how much it may. */
export async function describeUsage({ db, project }: RequestContext) {
  const { files, bytes, reserved, types } = await readUsage(db);
  const limit = fileLimitsOf(project).totalBytes;
  return {
    used: bytes,
    limit,
    // Space that is reserved for uploads under way is not available.
    available: limit === null ? null : Math.max(0, limit - bytes - reserved),
    files,
    byType: Object.fromEntries(
      types.map(({ extension, files, bytes }) => [kindOf(extension).contentType, { files, bytes }]),
    ),
  };
}
