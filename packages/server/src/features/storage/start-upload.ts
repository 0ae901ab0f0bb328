import { buffer } from 'node:stream/consumers';
import type { RequestContext } from '../projects/index.ts';
import { fileTooLarge, storageFull, tooManyUploads, unsupportedFileType, uploadNotFound } from './errors.ts';
import { type File, isUuid, newUrlKey, originalOf } from './file.ts';
import { headBytes, wantedHead } from './file-kinds.ts';
import { checkPath } from './file-name.ts';
import { pixelsOf } from './images.ts';
import { storageLimitsOf } from './limits.ts';
import { insertLoose } from './loose-store.ts';
import { recordFiles } from './record-files.ts';
import type { StorageServices } from './services.ts';
import { checkClaim, discardStaged } from './stage-file.ts';
import { takeSpace } from './store.ts';
import { requireUploads } from './upload-rights.ts';
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

/** Uploads that an app user can have under way. */
const maxOfUser = 10;

/** Begins an upload in several calls: all that can be checked is, and its space is taken. */
export async function startUpload(
  context: RequestContext,
  announced: AnnouncedFile,
  lasting: { trees: readonly string[]; seconds: number },
): Promise<void> {
  requireUploads(context);
  const { name } = checkClaim(announced.name);
  const path = checkPath(announced.path);
  const { fileBytes, totalBytes } = storageLimitsOf(context.project);
  if (announced.size > fileBytes) throw fileTooLarge(fileBytes);
  const { user, isTrusted } = context.principal;
  // Space is set aside for each: one user is not to take all of it by announcing files that never come.
  if (user && !isTrusted && (await countUploadsOf(context.db, user.id, maxOfUser)) === maxOfUser) {
    throw tooManyUploads(maxOfUser);
  }
  await context.db.transaction(async (db) => {
    for (const tree of lasting.trees) await insertLoose(db, tree, lasting.seconds);
    await insertUpload(db, { ...announced, name, path, uploadedBy: user?.id ?? null });
    const space = { files: 0, bytes: 0, reserved: announced.size };
    if (!(await takeSpace(db, space, totalBytes))) throw storageFull(totalBytes!);
  });
}

/** The caller's upload; anyone else's does not exist for it. */
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

/** Records an upload whose bytes are all there, if they are what its name says; otherwise it comes to nothing. */
export async function completeUpload(
  services: StorageServices,
  context: RequestContext,
  upload: Upload,
): Promise<File> {
  const { kind } = checkClaim(upload.name);
  const isImage = kind.nature === 'image';
  const end = Math.min(upload.size, wantedHead(kind)) - 1;
  const stored =
    upload.size === 0
      ? undefined
      : await services.blobs.read(originalOf(context.project.id, upload.id), { start: 0, end });
  const head = stored ? await buffer(stored) : Buffer.alloc(0);
  if (!kind.fits(head.subarray(0, headBytes))) {
    await abandonUpload(services, context, upload);
    throw unsupportedFileType(`The content is not that of a .${kind.extension} file.`);
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
    const [recorded] = await recordFiles({ ...context, db }, [file], { reserved: size });
    return recorded!;
  });
}

export async function abandonUpload(
  services: StorageServices,
  context: RequestContext,
  { id }: Pick<Upload, 'id'>,
): Promise<void> {
  await context.db.transaction((db) => endUpload(db, id));
  await discardStaged(services, context, [{ id }]);
}
