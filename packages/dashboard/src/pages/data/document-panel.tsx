import { isPlinthError } from '@plinth/client';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { projectClient } from '../../api/project-client.ts';
import { asError } from '../../as-error.ts';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import css from './document-panel.module.css';

const { data: words } = texts;

interface DocumentPanelProps {
  readonly projectRef: string;
  readonly collection: string;
  /** Undefined: one that is to be made. */
  readonly id: string | undefined;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** One document as JSON. It is saved only if nobody has changed it meanwhile. */
export function DocumentPanel({ projectRef, collection, id, onClose, onSaved }: DocumentPanelProps) {
  const documents = projectClient(projectRef).collection(collection);
  const read = useQuery({
    queryKey: ['projects', projectRef, 'document', collection, id ?? 'new'],
    queryFn: async () => (id === undefined ? undefined : documents.getWithVersion(id)) ?? null,
    gcTime: 0,
    staleTime: 0,
  });
  const [draft, setDraft] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  const [note, setNote] = useState('');
  const stored = read.data ? JSON.stringify(fieldsOf(read.data.document), null, 2) : '{\n  \n}';
  const parsed = parse(draft ?? stored);
  const save = async () => {
    if (!parsed.fields) return;
    setFailure(undefined);
    try {
      const saved = read.data
        ? await documents.replace(read.data.document.id, parsed.fields, { ifMatch: read.data.version })
        : await documents.create(parsed.fields);
      setNote(words.saved);
      setDraft(undefined);
      if (read.data) await read.refetch();
      onSaved(saved.id);
    } catch (error) {
      const isConflict = isPlinthError(error, 'version_mismatch');
      setFailure(isConflict ? new Error(words.conflict) : asError(error));
    }
  };
  const remove = async () => {
    if (id === undefined) return;
    try {
      await documents.delete(id);
      onSaved(id);
      onClose();
    } catch (error) {
      setFailure(asError(error));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      void save();
    }
  };
  return (
    <aside className={css.panel} aria-label={words.document}>
      <header className={css.head}>
        <code>{id ?? words.newDocument}</code>
        <button type="button" data-kind="bare" onClick={onClose} aria-label={texts.close}>
          ✕
        </button>
      </header>
      {read.error ? (
        <Problem error={read.error} />
      ) : (
        <textarea
          className={css.editor}
          aria-label={words.asJson}
          spellCheck={false}
          value={draft ?? stored}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <footer className={css.foot}>
        {failure && <Problem error={failure} />}
        <span className={parsed.problem ? css.bad : css.note} role="status">
          {parsed.problem ?? note}
        </span>
        {id !== undefined && (
          <button type="button" data-kind="danger" onClick={() => void remove()}>
            {words.remove}
          </button>
        )}
        <button
          type="button"
          data-kind="main"
          disabled={draft === undefined || !parsed.fields}
          onClick={() => void save()}
        >
          {words.save}
        </button>
      </footer>
    </aside>
  );
}

function fieldsOf({ id: _id, createdAt: _made, updatedAt: _changed, ...fields }: Record<string, unknown>) {
  return fields;
}

function parse(text: string): { fields?: Record<string, unknown>; problem?: string } {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return { problem: words.notAnObject };
    return { fields: fields as Record<string, unknown> };
  } catch (error) {
    return { problem: asError(error).message };
  }
}
