import { memo } from 'react';
import { texts } from '../../texts.ts';
import { CellEditor } from './cell-editor.tsx';
import { type Column, cellOf, type Row, valueAt } from './columns.ts';
import css from './document-grid.module.css';

const { data: words } = texts;
const kindClasses: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(css).map(([kind, name]) => [kind, `${css.cell} ${name}`]),
);
const [numeric, active] = [` ${css.numeric}`, ` ${css.active}`];

export interface GridRowProps {
  readonly row: Row;
  /** Its number in the list. */
  readonly at: number;
  /** Those that are drawn, and the number of the first of them. */
  readonly columns: readonly Column[];
  readonly firstColumn: number;
  readonly height: number;
  /** What the cell that the keyboard is at is called. */
  readonly activeId: string;
  /** The column that the keyboard is at, if it is in this row. */
  readonly activeColumn: number | undefined;
  readonly editedColumn: number | undefined;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isChanged: boolean;
  readonly onTyped: (row: Row, column: Column, text: string, isNext: boolean) => void;
  readonly onLeave: () => void;
}

/** One document. It is drawn again only if something of itself has changed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, at, columns, firstColumn, height, activeId, activeColumn, editedColumn } = props;
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      aria-selected={props.isSelected}
      data-open={props.isOpen || undefined}
      data-changed={props.isChanged || undefined}
      className={css.row}
      // Set through the object model: the policy of the page forbids style attributes in markup, not this.
      ref={(element) => element?.style.setProperty('top', `${(at + 1) * height}px`)}
    >
      <div role="gridcell" className={css.choose} aria-colindex={1}>
        {/* Not an input: there are many, and each would take its time. The grid sees to the pointer and the keyboard. */}
        <span
          role="checkbox"
          tabIndex={-1}
          aria-label={words.selectOne(at + 1)}
          aria-checked={props.isSelected}
        />
      </div>
      {columns.map((column, n) => {
        const place = firstColumn + n;
        const value = valueAt(row, column.path);
        const { kind, text } = cellOf(value, column.width);
        return (
          <div
            key={column.field}
            id={activeColumn === place ? activeId : undefined}
            role="gridcell"
            aria-colindex={place + 2}
            className={`${kindClasses[kind] ?? css.cell}${column.isNumeric ? numeric : ''}${activeColumn === place ? active : ''}`}
          >
            {editedColumn === place ? (
              <CellEditor
                label={column.field}
                value={value}
                onTyped={(typed, isNext) => props.onTyped(row, column, typed, isNext)}
                onLeave={props.onLeave}
              />
            ) : (
              text
            )}
          </div>
        );
      })}
    </div>
  );
});
