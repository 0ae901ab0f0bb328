import { useState } from 'react';
import { texts } from '../../texts.ts';
import { ChangeField } from './change-field.tsx';
import type { Column, Row } from './columns.ts';
import type { Selection } from './use-selection.ts';
import type { Writes } from './use-writes.ts';
import css from './view-bar.module.css';

const { data: words } = texts;

interface BulkBarProps {
  readonly selection: Selection;
  readonly columns: readonly Column[];
  readonly writes: Writes;
  readonly onCopy: (text: string) => void;
  readonly onExport: () => void;
  readonly onRemove: (rows: readonly Row[]) => void;
}

/** What can be done with the documents that are selected. */
export function BulkBar({ selection, columns, writes, onCopy, onExport, onRemove }: BulkBarProps) {
  const [isChanging, setChanging] = useState(false);
  const rows = [...selection.rows.values()];
  return (
    <section className={css.bulk} aria-label={words.selection}>
      <strong role="status">{words.selected(rows.length)}</strong>
      <button type="button" onClick={() => setChanging(true)}>
        {words.changeField}
      </button>
      <button type="button" onClick={() => onCopy(JSON.stringify(rows, null, 2))}>
        {words.copyAsJson}
      </button>
      <button type="button" onClick={onExport}>
        {words.exportSome}
      </button>
      <button type="button" data-kind="danger" onClick={() => onRemove(rows)}>
        {words.removeSelected}
      </button>
      <button type="button" data-kind="bare" onClick={selection.clear}>
        {words.unselect}
      </button>
      {isChanging && (
        <ChangeField
          rows={rows}
          columns={columns}
          writes={writes}
          onDone={selection.clear}
          onClose={() => setChanging(false)}
        />
      )}
    </section>
  );
}
