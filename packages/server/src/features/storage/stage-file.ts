import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from '../projects/index.ts';
import { CheckedBody } from './checked-body.ts';
import { storageFull, unsupportedFileType } from './errors.ts';
import { type NewFile, newUrlKey, originalOf, treeOf } from './file.ts';
import { type FileKind, kindOfName } from './file-kinds.ts';
import { checkFileName } from './file-name.ts';
import { pixelsOf } from './images.ts';
import { formLimitsOf, storageLimitsOf } from './limits.ts';
import { doomLoose, forgetLoose, insertLoose, keepLoose } from './loose-store.ts';
import type { StorageServices } from './services.ts';
import { readUsage } from './store.ts';

/** How long bytes without a record are kept; an upload that goes on renews it. */
const keptSeconds = 3600;
const renewEveryMs = 1_200_000;

/** A file whose bytes are stored, and which goes if it is not recorded. */
export interface StagedFile extends NewFile {
  /** SHA-256 of the content, where it was asked for. */
  readonly digest: string | undefined;
}

/** The kind and stored name of a file that is about to come, or the reason why it may not. */
export function checkClaim(name: string): { name: string; kind: FileKind } {
  const stored = checkFileName(name);
  const kind = kindOfName(stored);
  if (!kind) throw unsupportedFileType(`"${stored.slice(0, 100)}" is not of a supported type.`);
  return { name: stored, kind };
}

/**
 * Stores the bytes of a file without recording it. What comes back must be recorded or discarded; after a crash between
 * the two the bytes are removed by a sweep.
 */
export async function stageFile(
  { blobs }: Pick<StorageServices, 'blobs'>,
  context: RequestContext,
  { name: given, wantsDigest }: { name: string; wantsDigest: boolean },
  body: Readable,
): Promise<StagedFile> {
  const { name, kind } = checkClaim(given);
  const db = context.db.apart();
  const { fileBytes } = formLimitsOf(context);
  const { totalBytes } = storageLimitsOf(context.project);
  const id = randomUUID();
  const tree = treeOf(context.project.id, id);
  // A project that is full is told so before its bytes travel; the exact answer comes when the file is recorded.
  if (totalBytes !== null && (await readUsage(db)).bytes > totalBytes) throw storageFull(totalBytes);
  const isKnown = insertLoose(db, tree, keptSeconds);
  const renewal = setInterval(() => {
    keepLoose(db, tree, keptSeconds).catch((error: unknown) =>
      context.log.warn({ err: error }, 'an upload could not be marked as going on'),
    );
  }, renewEveryMs);
  const checked = new CheckedBody(kind, fileBytes, wantsDigest);
  // The body is read from the start; nothing is written before it is known that something will be.
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
    // Whichever of the two failed, the other has nothing to wait for, and must be over before its bytes go.
    checked.destroy();
    await Promise.allSettled([stored]);
    await discardTree({ blobs }, context, tree);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Removes those of some staged files that were not recorded. */
export async function discardStaged(
  services: Pick<StorageServices, 'blobs'>,
  context: RequestContext,
  files: readonly Pick<NewFile, 'id'>[],
): Promise<void> {
  await Promise.all(files.map(({ id }) => discardTree(services, context, treeOf(context.project.id, id))));
}

/** Removes loose bytes. What fails here is left to the sweep. */
async function discardTree(
  { blobs }: Pick<StorageServices, 'blobs'>,
  { db, log }: Pick<RequestContext, 'db' | 'log'>,
  tree: string,
): Promise<void> {
  const apart = db.apart();
  try {
    if (!(await doomLoose(apart, tree))) return;
    await blobs.removeAll(tree);
    await forgetLoose(apart, tree);
  } catch (error) {
    log.warn({ err: error }, 'the bytes of a failed upload are left to the sweep');
  }
}
