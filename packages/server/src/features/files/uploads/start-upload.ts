import { buffer } from 'node:stream/consumers';
import type { RequestContext } from '../../../calls/index.ts';
import { pixelsOf } from '../images/index.ts';
import { headBytes, wantedHead } from '../kinds/index.ts';
import {
  checkPath,
  type File,
  type FilesDeps,
  fileLimitsOf,
  fileTooLarge,
  insertLoose,
  isUuid,
  newUrlKey,
  originalOf,
  recordFile,
  requireUploads,
  storageFull,
  takeSpace,
  uploadNotFound,
} from '../records/index.ts';
import { tooManyUploads, unsupportedFileType } from './errors.ts';
import { checkClaim, discardStaged } from './stage-file.ts';
import {
  countUploadsOf,
  endUpload,
  findUpload,
  insertUpload,
  removeUpload,
  type Upload,
} from './upload-store.ts';

export interface AnnouncedFile {
  readonly id: string;
  readonly kind: Upload['kind'];
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly isPrivate: boolean;
}

/** Direct and resumable uploads in progress per app user. @limit too_many_uploads */
const maxOfUser = 10;

/** Begins an upload in several calls: checks all that can be checked, and reserves its space. */
export async function startUpload(
  { requireRoom }: Pick<FilesDeps, 'requireRoom'>,
  context: RequestContext,
  announced: AnnouncedFile,
  lasting: { trees: readonly string[]; seconds: number },
): Promise<void> {
  requireUploads(context);
  requireRoom(context.project);
  const { name } = checkClaim(announced.name);
  const path = checkPath(announced.path);
  const { fileBytes, totalBytes } = fileLimitsOf(context.project);
  if (announced.size > fileBytes) throw fileTooLarge(fileBytes);
  const { user, isTrusted } = context.principal;
  // Space is reserved for each: one user must not take it all by announcing files that never come.
  if (user && !isTrusted && (await countUploadsOf(context.db, user.id, maxOfUser)) === maxOfUser) {
    throw tooManyUploads(maxOfUser);
  }
  await context.db.transaction(async (db) => {
    for (const tree of lasting.trees) await insertLoose(db, tree, lasting.seconds);
    await insertUpload(db, { ...announced, name, path, uploadedBy: user?.id ?? null });
    const space = { files: 0, bytes: 0, reserved: announced.size };
    const isTaken = await takeSpace(db, space, totalBytes);
    if (!isTaken && totalBytes !== null) throw storageFull(totalBytes);
  });
}

/** The caller's upload; anyone else's does not exist for the caller. */
export async function getUpload(
  { db, principal }: RequestContext,
  id: string,
  kind: Upload['kind'],
): Promise<Upload> {
  const upload = isUuid(id) ? await findUpload(db, id) : undefined;
  const isTheirs = principal.isTrusted || (principal.user && upload?.uploadedBy === principal.user.id);
  if (upload?.kind !== kind || !isTheirs) throw uploadNotFound();
  return upload;
}

/** Records an upload whose bytes are all there. If they are not what its name claims, the upload is abandoned. */
export async function completeUpload(
  deps: FilesDeps,
  context: RequestContext,
  upload: Upload,
): Promise<File> {
  const { kind } = checkClaim(upload.name);
  const isImage = kind.nature === 'image';
  const end = Math.min(upload.size, wantedHead(kind)) - 1;
  const stored =
    upload.size === 0
      ? undefined
      : await deps.blobs.read(originalOf(context.project.id, upload.id), { start: 0, end });
  const head = stored ? await buffer(stored) : Buffer.alloc(0);
  if (!kind.fits(head.subarray(0, headBytes))) {
    await abandonUpload(deps, context, upload);
    throw unsupportedFileType(`The content does not match a .${kind.extension} file.`);
  }
  const pixels = isImage ? await pixelsOf(head) : undefined;
  const { id, name, path, isPrivate, uploadedBy, size } = upload;
  const file = {
    id,
    urlKey: newUrlKey(),
    name,
    path,
    extension: kind.extension,
    size,
    width: pixels?.width ?? null,
    height: pixels?.height ?? null,
    isPrivate,
    uploadedBy,
  };
  return context.db.transaction(async (db) => {
    if (!(await removeUpload(db, id))) throw uploadNotFound();
    return recordFile({ ...context, db }, file, { reserved: size });
  });
}

export async function abandonUpload(
  deps: FilesDeps,
  context: RequestContext,
  { id }: Pick<Upload, 'id'>,
): Promise<void> {
  await context.db.transaction((db) => endUpload(db, id));
  await discardStaged(deps, context, [{ id }]);
}
