import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { withChanges } from '../../search-params.ts';
import type { DocumentsSearch } from './documents-search.ts';
import { readFields } from './remembered.ts';

const from = '/signed-in/p/$ref/data/$collection';
/** Stands in the address for a document that is to be made. */
export const newDocument = 'new';

interface Changes {
  readonly filter?: string;
  readonly sort?: string;
  readonly columns?: string;
  readonly doc?: string;
  readonly as?: 'form' | '';
}

/** What the address says is looked at, and how to look at something else. */
export function useLook() {
  const { ref, collection } = useParams({ from });
  const { filter = '', sort = '', doc, columns, as } = useSearch({ from });
  const navigate = useNavigate();
  const look = useCallback(
    (changes: Changes) =>
      void navigate({
        to: '/p/$ref/data/$collection',
        params: { ref, collection },
        search: (now: object) => withChanges<DocumentsSearch>(now, changes),
      }),
    [navigate, ref, collection],
  );
  const named = useMemo(() => (columns === undefined ? undefined : readFields(columns)), [columns]);
  return { ref, collection, filter, sort, doc, isForm: as === 'form', named, look };
}
