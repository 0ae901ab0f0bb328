import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from '../../../calls/index.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import { pixelsOf } from '../images/index.ts';
import { type FileKind, kindOfName } from '../kinds/index.ts';
import {
  checkFileName,
  doomLoose,
  type FilesDeps,
  fileLimitsOf,
  forgetLoose,
  formLimitsOf,
  insertLoose,
  keepLoose,
  type NewFile,
  newUrlKey,
  originalOf,
  readUsage,
  storageFull,
  treeOf,
} from '../records/index.ts';
import { CheckedBody } from './checked-body.ts';
import { unsupportedFileType } from './errors.ts';

/** How long bytes without a record are kept; an upload under way renews this. */
const keptSeconds = 3600;
const renewEveryMs = 1_200_000;

/** A file whose bytes are stored, and removed unless it is recorded. */
export interface StagedFile extends NewFile {
  /** SHA-256 of the content, where it was asked for. */
  readonly digest: string | undefined;
}

/** The kind of a file that is about to come, and the name it is stored under; refuses one that may not come. */
export function checkClaim(name: string): { name: string; kind: FileKind } {
  const stored = checkFileName(name);
  const kind = kindOfName(stored);
  if (!kind) throw unsupportedFileType(`"${stored.slice(0, 100)}" is not of a supported type.`);
  return { name: stored, kind };
}

/**
 * Stores the bytes of a file without recording it. The result must be recorded or discarded; after a crash in between,
 * the sweep removes the bytes.
 */
export async function stageFile(
  { blobs, requireRoom }: Pick<FilesDeps, 'blobs' | 'requireRoom'>,
  context: RequestContext,
  { name: given, wantsDigest }: { name: string; wantsDigest: boolean },
  body: Readable,
): Promise<StagedFile> {
  const { name, kind } = checkClaim(given);
  requireRoom(context.project);
  const db = context.db.apart();
  const { fileBytes } = formLimitsOf(context);
  const { totalBytes } = fileLimitsOf(context.project);
  const id = randomUUID();
  const tree = treeOf(context.project.id, id);
  // A project that is full is refused before the bytes travel; the exact check comes when the file is recorded.
  if (totalBytes !== null && (await readUsage(db)).bytes > totalBytes) throw storageFull(totalBytes);
  const isKnown = insertLoose(db, tree, keptSeconds);
  const failed = reporting(context.log, 'an upload could not be marked as in progress');
  const renewal = setInterval(
    guarded(failed, () => keepLoose(db, tree, keptSeconds)),
    renewEveryMs,
  );
  const checked = new CheckedBody(kind, fileBytes, wantsDigest);
  // The body is read from the start, but nothing is written before the loose row is.
  const stored = isKnown.then(() => blobs.put(originalOf(context.project.id, id), checked));
  try {
    await Promise.all([pipeline(body, checked), stored]);
    const pixels = kind.nature === 'image' ? await pixelsOf(checked.head) : undefined;
    return {
      id,
      urlKey: newUrlKey(),
      name,
      path: '',
      extension: kind.extension,
      size: checked.size,
      width: pixels?.width ?? null,
      height: pixels?.height ?? null,
      isPrivate: false,
      uploadedBy: context.principal.user?.id ?? null,
      digest: checked.digest,
    };
  } catch (error) {
    // Whichever of the two failed, the other must end before its bytes are removed.
    checked.destroy();
    await Promise.allSettled([stored]);
    await discardTree({ blobs }, context, tree);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Removes those staged files that were not recorded. */
export async function discardStaged(
  deps: Pick<FilesDeps, 'blobs'>,
  context: RequestContext,
  files: readonly Pick<NewFile, 'id'>[],
): Promise<void> {
  await Promise.all(files.map(({ id }) => discardTree(deps, context, treeOf(context.project.id, id))));
}

/** Removes loose bytes. If that fails, it is left to the sweep. */
async function discardTree(
  { blobs }: Pick<FilesDeps, 'blobs'>,
  { db, log }: Pick<RequestContext, 'db' | 'log'>,
  tree: string,
): Promise<void> {
  const apart = db.apart();
  try {
    if (!(await doomLoose(apart, tree))) return;
    await blobs.removeAll(tree);
    await forgetLoose(apart, tree);
  } catch (error) {
    log.warn({ err: error }, 'the bytes of a failed upload could not be removed and are left to the cleanup');
  }
}
