import { isPlinthError } from '@plinth/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
  const read = useQuery({
    queryKey: ['projects', projectRef, 'document', collection, id ?? 'new'],
    queryFn: async ({ signal }): Promise<Stored | null> =>
      id === undefined ? null : documents.getWithVersion(id, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
  const [draft, setDraft] = useState<string>();
  /** What the draft was begun from. */
  const [base, setBase] = useState<Stored>();
  const [failure, setFailure] = useState<Error>();
  const [theirs, setTheirs] = useState<Stored>();
  const [isSaved, setSaved] = useState(false);
  const stored = read.data ?? undefined;
  const text = draft ?? (stored ? textOfFields(stored.document) : emptyText);
  const change = (next: string) => {
    if (draft === undefined) setBase(stored);
    setSaved(false);
    setDraft(next);
  };
  const drop = () => {
    setDraft(undefined);
    setTheirs(undefined);
    setFailure(undefined);
  };
  const save = async (version = (base ?? stored)?.version) => {
    const { fields } = parseDocument(text);
    if (!fields || draft === undefined) return;
    setFailure(undefined);
    try {
      const saved =
        id === undefined
          ? await documents.create(fields)
          : await documents.replace(id, fields, version === undefined ? {} : { ifMatch: version });
      if (id !== undefined) await read.refetch();
      drop();
      setSaved(true);
      onSaved(saved.id);
    } catch (error) {
      if (id !== undefined && isPlinthError(error, 'version_mismatch'))
        setTheirs(await documents.getWithVersion(id));
      else setFailure(asError(error));
    }
  };
  return {
    read,
    stored,
    text,
    isChanged: draft !== undefined,
    isSaved,
    failure,
    /** The other version, if somebody else has changed it. */
    theirs: theirs && { ...theirs, fields: fieldsOf(theirs.document) },
    change,
    drop,
    save,
  };
}
