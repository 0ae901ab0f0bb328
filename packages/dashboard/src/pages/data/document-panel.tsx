import { type KeyboardEvent, lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import type { Row } from './columns.ts';
import { Conflict } from './conflict.tsx';
import { DocumentForm } from './document-form.tsx';
import css from './document-panel.module.css';
import { parseDocument } from './document-text.ts';
import { PanelDetails } from './panel-details.tsx';
import { useDocument } from './use-document.ts';
import type { Writes } from './use-writes.ts';

const { data: words } = texts;

const JsonEditor = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }));

interface DocumentPanelProps {
  readonly projectRef: string;
  readonly collection: string;
  /** Undefined: one that is to be made. */
  readonly id: string | undefined;
  readonly writes: Writes;
  readonly hasFocus: boolean;
  /** Field by field, instead of JSON. */
  readonly isForm: boolean;
  readonly onForm: (isForm: boolean) => void;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
  readonly onRemove: (rows: readonly Row[]) => void;
}

/** One document, as JSON or field by field. */
export function DocumentPanel(props: DocumentPanelProps) {
  const { id, hasFocus, isForm, onClose } = props;
  const document = useDocument(props);
  const { read, stored, text, isChanged, failure, theirs } = document;
  const parsed = useMemo(() => parseDocument(text), [text]);
  const said = useDeferredValue(parsed.problem);
  const [isLeaving, setLeaving] = useState(false);
  const caret = useRef<number>(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      // What was typed is not thrown away by one key.
      if (isChanged && !isLeaving) setLeaving(true);
      else onClose();
    } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      void document.save();
    } else if (isLeaving) setLeaving(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that hold for all that is in it
    <aside className={css.panel} aria-label={words.document} onKeyDown={onKeyDown}>
      <header className={css.head}>
        <code>{document.id ?? words.newDocument}</code>
        <button
          type="button"
          aria-pressed={isForm}
          // What is no document as JSON has no fields.
          disabled={!parsed.fields}
          onClick={() => props.onForm(!isForm)}
        >
          {words.form}
        </button>
        <button type="button" data-kind="bare" onClick={onClose} aria-label={texts.close}>
          ✕
        </button>
      </header>
      <div className={css.body}>
        {read.error && <Problem error={read.error} />}
        {read.isPending && <Wait />}
        {read.isSuccess && isForm && parsed.fields && (
          <DocumentForm
            fields={parsed.fields}
            onChange={(fields) => document.change(JSON.stringify(fields, null, 2))}
          />
        )}
        {read.isSuccess && !(isForm && parsed.fields) && (
          <Suspense
            // Until the editor is there, what it will be can be typed in already.
            fallback={
              <textarea
                className={css.editor}
                aria-label={words.asJson}
                spellCheck={false}
                value={text}
                onChange={({ target }) => {
                  caret.current = target.selectionStart;
                  document.change(target.value);
                }}
                onSelect={({ currentTarget }) => {
                  caret.current = currentTarget.selectionStart;
                }}
                onBlur={() => {
                  caret.current = undefined;
                }}
              />
            }
          >
            <JsonEditor
              label={words.asJson}
              text={text}
              hasFocus={hasFocus || isChanged}
              caret={caret}
              onChange={document.change}
            />
          </Suspense>
        )}
      </div>
      {stored && !theirs && (
        <PanelDetails
          projectRef={props.projectRef}
          collection={props.collection}
          document={stored.document}
        />
      )}
      {theirs && parsed.fields && (
        <Conflict
          theirs={theirs.fields}
          yours={parsed.fields}
          onTheirs={() => void read.refetch().then(document.drop)}
          onYours={() => void document.save(theirs.version)}
        />
      )}
      <footer className={css.foot}>
        {failure && <Problem error={failure} />}
        <span className={said ? css.bad : css.note} role="status">
          {isLeaving ? words.notSavedYet : (said ?? (document.isSaved ? words.saved : ''))}
        </span>
        {id !== undefined && (
          <button
            type="button"
            data-kind="danger"
            disabled={!stored}
            onClick={() => stored && props.onRemove([stored.document])}
          >
            {words.remove}
          </button>
        )}
        <button
          type="button"
          data-kind="main"
          disabled={!isChanged || !parsed.fields || document.isSaving}
          onClick={() => void document.save()}
        >
          {words.save}
        </button>
      </footer>
    </aside>
  );
}
