import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { RequestContext } from '../projects/index.ts';
import { type NewFile, recordFiles, releaseUnheld } from '../storage/index.ts';
import type { WrittenDocument } from './document.ts';
import type { DocumentServices } from './services.ts';

/** Those of the files sent with a document whose URLs it holds: a part named `id` fills nothing, for example. */
export function filesIn(data: string, files: readonly NewFile[]): readonly NewFile[] {
  return files.filter(({ urlKey }) => data.includes(urlKey));
}

/**
 * Settles the files of a changed document: those it no longer holds go, those that came with the change are recorded. In
 * this order, so that a file in the place of another fits where that one was.
 */
export async function settleFiles(
  { storage }: Pick<DocumentServices, 'storage'>,
  context: RequestContext & { db: ProjectDb },
  after: WrittenDocument,
  files: readonly NewFile[] = [],
): Promise<WrittenDocument> {
  const kept = after.holdsFiles
    ? await releaseUnheld(context.db, after.id, after.data, storage)
    : { remaining: 0 };
  const held = filesIn(after.data, files);
  if (held.length > 0) await recordFiles(context, held, { heldBy: after.id });
  return { ...after, holdsFiles: kept.remaining + held.length > 0 };
}
