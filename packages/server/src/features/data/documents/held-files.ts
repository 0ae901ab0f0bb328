import type { RequestContext } from '../../../calls/index.ts';
import { type NewFile, recordFiles, releaseUnheld } from '../../files/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { WrittenDocument } from './document.ts';

/** Those of the files sent with a document whose URLs it holds: a part named `id` fills nothing, for example. */
export function filesIn(data: string, files: readonly NewFile[]): readonly NewFile[] {
  return files.filter(({ urlKey }) => data.includes(urlKey));
}

/**
 * Settles the files of changed documents: those they no longer hold go, those that came with the change of one are
 * recorded. In this order, so that a file in the place of another fits where that one was.
 */
export async function settleFiles(
  { storage }: Pick<DocumentDeps, 'storage'>,
  context: RequestContext,
  changed: readonly WrittenDocument[],
  files: readonly NewFile[] = [],
): Promise<WrittenDocument[]> {
  const holders = changed.filter(({ holdsFiles }) => holdsFiles);
  const texts = new Map(holders.map(({ id, data }) => [id, data]));
  const kept = await releaseUnheld(context.db, texts, storage);
  const [first] = changed;
  const held = first ? filesIn(first.data, files) : [];
  if (first && held.length > 0) await recordFiles(context, held, { heldBy: first.id });
  return changed.map((document) => {
    const recorded = document === first ? held.length : 0;
    return { ...document, holdsFiles: (kept.get(document.id) ?? 0) + recorded > 0 };
  });
}
