import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { projectClient } from '../../api/project-client.ts';
import { asError } from '../../as-error.ts';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { batchesOf } from './batches.ts';
import type { Row } from './columns.ts';
import { hasFiles } from './file-urls.ts';
import type { Documents } from './steps.ts';
import { useUndo } from './use-undo.ts';

const { data: words } = texts;

/** Changes of documents that can be taken back. */
export function useWrites(ref: string, collection: string) {
  const cache = useQueryClient();
  const say = useToast();
  const documents: Documents = useMemo(() => projectClient(ref).collection(collection), [ref, collection]);
  const look = useCallback(async () => {
    await cache.invalidateQueries({ queryKey: ['projects', ref, 'documents', collection] });
    await cache.invalidateQueries({ queryKey: ['projects', ref, 'document', collection] });
    await cache.invalidateQueries({ queryKey: ['projects', ref, 'collections'] });
  }, [cache, ref, collection]);

  /** Says what went wrong, where there is no better place for it. */
  const trying = useCallback(
    (work: () => Promise<void>) => {
      work().catch((thrown: unknown) => say({ text: asError(thrown).message }));
    },
    [say],
  );

  const { did, awaited } = useUndo({ documents, look, trying });
  return useMemo(() => {
    const remove = async (rows: readonly Row[]) => {
      for (const batch of batchesOf(rows.map(({ id }) => id))) await documents.deleteMany(batch);
      const text = rows.some((row) => hasFiles(row, ref))
        ? words.removedWithFiles(rows.length)
        : words.removedSome(rows.length);
      did({ text, removed: rows });
      await look();
    };
    /** One document that is open. */
    const lookAgain = (id: string) =>
      cache.invalidateQueries({ queryKey: ['projects', ref, 'document', collection, id] });
    const write = (work: () => Promise<void>) => trying(() => awaited(work()));
    return { documents, look, lookAgain, write, remove, did };
  }, [awaited, cache, collection, did, documents, look, ref, trying]);
}

export type Writes = ReturnType<typeof useWrites>;
