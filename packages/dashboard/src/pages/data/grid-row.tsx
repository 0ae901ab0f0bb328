import { memo, type ReactNode } from 'react';
import { texts } from '../../texts.ts';
import { CellEditor } from './cell-editor.tsx';
import { type Column, cellOf, type Row, valueAt } from './columns.ts';
import css from './document-grid.module.css';

const { data: words } = texts;
const kindStyles: Readonly<Record<string, string | undefined>> = css;

export interface GridRowProps {
  readonly row: Row;
  /** Its number in the list. */
  readonly at: number;
  readonly columns: readonly Column[];
  readonly height: number;
  readonly gridId: string;
  /** The column that the keyboard is at, if it is in this row. */
  readonly activeColumn: number | undefined;
  readonly editedColumn: number | undefined;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isChanged: boolean;
  readonly onToggle: (row: Row) => void;
  readonly onTyped: (row: Row, column: Column, text: string, isNext: boolean) => void;
  readonly onLeave: () => void;
}

/** One document. It is drawn again only if something of itself has changed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, at, columns, height, gridId, activeColumn, editedColumn, isSelected, onToggle } = props;
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      data-at={at}
      data-open={props.isOpen || undefined}
      data-changed={props.isChanged || undefined}
      className={css.row}
      // Set through the object model: the policy of the page forbids style attributes in markup, not this.
      ref={(element) => element?.style.setProperty('top', `${(at + 1) * height}px`)}
    >
      <div role="gridcell" className={css.choose} aria-colindex={1}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={words.selectOne(at + 1)}
          checked={isSelected}
          onChange={() => onToggle(row)}
        />
      </div>
      {columns.map((column, n) => (
        <Cell
          key={column.field}
          id={`${gridId}-${at}-${n}`}
          at={n}
          column={column}
          value={valueAt(row, column.path)}
          isActive={activeColumn === n}
        >
          {editedColumn === n ? (
            <CellEditor
              label={column.field}
              value={valueAt(row, column.path)}
              onTyped={(text, isNext) => props.onTyped(row, column, text, isNext)}
              onLeave={props.onLeave}
            />
          ) : undefined}
        </Cell>
      ))}
    </div>
  );
});

interface CellProps {
  readonly id: string;
  readonly at: number;
  readonly column: Column;
  readonly value: unknown;
  readonly isActive: boolean;
  /** What stands in its place. */
  readonly children: ReactNode;
}

function Cell({ id, at, column: { isNumeric }, value, isActive, children }: CellProps) {
  const { kind, text } = cellOf(value);
  const classes = [css.cell, kindStyles[kind], isNumeric && css.numeric, isActive && css.active];
  return (
    <div
      id={id}
      role="gridcell"
      data-column={at}
      aria-colindex={at + 2}
      className={classes.filter(Boolean).join(' ')}
    >
      {children ?? <span>{text}</span>}
    </div>
  );
}
