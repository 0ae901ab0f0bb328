import { isPlinthError } from '@plinth/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { asError } from '../../as-error.ts';
import type { Row } from './columns.ts';
import { emptyText, fieldsOf, parseDocument, textOfFields } from './document-text.ts';
import type { Writes } from './use-writes.ts';

interface Stored {
  readonly document: Row;
  readonly version: string;
}

interface Wanted {
  readonly projectRef: string;
  readonly collection: string;
  /** Undefined: one that is to be made. */
  readonly id: string | undefined;
  readonly writes: Writes;
  readonly onSaved: (id: string) => void;
}

/** A document as a text that is changed and saved, only if nobody has changed it meanwhile. */
export function useDocument({ projectRef, collection, id, writes, onSaved }: Wanted) {
  const { documents } = writes;
  /** What a new one has become: whoever types on changes that. */
  const [made, setMade] = useState<string>();
  const own = id ?? made;
  const read = useQuery({
    queryKey: ['projects', projectRef, 'document', collection, own ?? 'new'],
    queryFn: async ({ signal }): Promise<Stored | null> =>
      own === undefined ? null : documents.getWithVersion(own, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  const [draft, setDraft] = useState<string>();
  const latest = useRef<string>(undefined);
  /** What the draft was begun from. */
  const [base, setBase] = useState<Stored>();
  const [failure, setFailure] = useState<Error>();
  const [theirs, setTheirs] = useState<Stored>();
  const [isSaved, setSaved] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const stored = read.data ?? undefined;
  const text = draft ?? (stored ? textOfFields(stored.document) : emptyText);
  // What was made here has no version before it is read.
  if (draft !== undefined && !base && stored) setBase(stored);
  const put = (next: string | undefined) => {
    latest.current = next;
    setDraft(next);
  };
  const change = (next: string) => {
    if (draft === undefined) setBase(stored);
    setSaved(false);
    put(next);
  };
  const drop = () => {
    put(undefined);
    setTheirs(undefined);
    setFailure(undefined);
  };
  const save = async (version = (base ?? stored)?.version) => {
    const { fields } = parseDocument(text);
    if (!fields || draft === undefined || isSaving) return;
    setSaving(true);
    setFailure(undefined);
    try {
      const saved =
        own === undefined
          ? await documents.create(fields)
          : await documents.replace(own, fields, version === undefined ? {} : { ifMatch: version });
      if (own !== undefined) {
        const { data } = await read.refetch();
        // Else somebody else was quick: their version is not what is typed on from.
        if (data?.document.updatedAt === saved.updatedAt) setBase(data ?? undefined);
      }
      setTheirs(undefined);
      const isAll = latest.current === draft;
      setMade(saved.id);
      if (isAll) {
        drop();
        setSaved(true);
      }
      // Else it would open anew, without what was typed since.
      if (isAll || id !== undefined) onSaved(saved.id);
    } catch (error) {
      if (own !== undefined && isPlinthError(error, 'version_mismatch'))
        setTheirs(await documents.getWithVersion(own));
      else setFailure(asError(error));
    } finally {
      setSaving(false);
    }
  };
  return {
    read,
    id: own,
    stored,
    text,
    isChanged: draft !== undefined,
    isSaved,
    isSaving,
    failure,
    /** The other version, if somebody else has changed it. */
    theirs: theirs && { ...theirs, fields: fieldsOf(theirs.document) },
    change,
    drop,
    save,
  };
}
