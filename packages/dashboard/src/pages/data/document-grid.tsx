import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { texts } from '../../texts.ts';
import { type Column, cellOf, type Row } from './columns.ts';
import css from './document-grid.module.css';
import { useWindow } from './use-window.ts';

const rowHeight = 32;
/** The next page is asked for before its first row can be seen. */
const rowsAhead = 30;

interface DocumentGridProps {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly total: number;
  readonly sort: string;
  /** Glow for a moment. */
  readonly changed: ReadonlySet<string>;
  readonly openId: string | undefined;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onEnd: () => void;
}

/** A grid of any number of rows. The keyboard moves a cell; the grid keeps the focus, so rows may come and go. */
export function DocumentGrid(props: DocumentGridProps) {
  const { rows, columns, total, sort, changed, openId, onSort, onOpen, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [at, setAt] = useState({ row: 0, column: 0 });
  const { from, to } = useWindow(scroller, rows.length, rowHeight);
  useEffect(() => {
    if (to >= rows.length - rowsAhead) onEnd();
  }, [to, rows.length, onEnd]);
  const onKeyDown = (event: KeyboardEvent) => {
    const element = scroller.current;
    if (!element) return;
    const row = rows[at.row];
    if (event.key === 'Enter' && row && event.target === element) return onOpen(row.id);
    const page = Math.floor(element.clientHeight / rowHeight) - 1;
    const step = stepFor(event, { page, rows: rows.length, columns: columns.length });
    if (!step) return;
    event.preventDefault();
    const next = {
      row: clamp(at.row + step.rows, rows.length),
      column: clamp(at.column + step.columns, columns.length),
    };
    setAt(next);
    show(element, next.row);
  };
  return (
    <div
      ref={scroller}
      className={css.scroller}
      role="grid"
      aria-label={texts.data.grid}
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-activedescendant={at.row >= from && at.row < to ? `${id}-${at.row}-${at.column}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={css.sizer} role="presentation" ref={sizeOf('height', (rows.length + 1) * rowHeight)}>
        <Head columns={columns} sort={sort} onSort={onSort} />
        {rows.slice(from, to).map((row, n) => (
          <div
            key={row.id}
            role="row"
            tabIndex={-1}
            aria-rowindex={from + n + 2}
            aria-selected={row.id === openId}
            data-changed={changed.has(row.id) || undefined}
            className={css.row}
            ref={sizeOf('top', (from + n + 1) * rowHeight)}
            onMouseDown={() => {
              setAt({ row: from + n, column: 0 });
              onOpen(row.id);
            }}
          >
            {columns.map((column, columnAt) => (
              <Cell
                key={column.field}
                id={`${id}-${from + n}-${columnAt}`}
                column={column}
                value={row[column.field]}
                isActive={at.row === from + n && at.column === columnAt}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly columns: readonly Column[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Ascending, descending, not at all. */
function Head({ columns, sort, onSort }: HeadProps) {
  return (
    <div className={css.head} role="row" aria-rowindex={1}>
      {columns.map(({ field, width, isNumeric }) => {
        const direction = { [field]: 'ascending', [`-${field}`]: 'descending' }[sort] ?? 'none';
        const next = { none: field, ascending: `-${field}`, descending: '' }[direction] ?? '';
        return (
          <div
            key={field}
            role="columnheader"
            aria-label={field}
            aria-sort={direction as 'ascending' | 'descending' | 'none'}
            className={`${css.cell} ${isNumeric ? css.numeric : ''}`}
            ref={sizeOf('width', width)}
          >
            <button type="button" tabIndex={-1} onClick={() => onSort(next)}>
              <span>{field}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

interface CellProps {
  readonly id: string;
  readonly column: Column;
  readonly value: unknown;
  readonly isActive: boolean;
}

const kindStyles: Readonly<Record<string, string | undefined>> = css;

function Cell({ id, column: { width, isNumeric }, value, isActive }: CellProps) {
  const { kind, text } = cellOf(value);
  const classes = [css.cell, kindStyles[kind], isNumeric && css.numeric, isActive && css.active];
  return (
    <div id={id} role="gridcell" className={classes.filter(Boolean).join(' ')} ref={sizeOf('width', width)}>
      <span>{text}</span>
    </div>
  );
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

interface Extent {
  readonly page: number;
  readonly rows: number;
  readonly columns: number;
}

function stepFor(
  { key, ctrlKey }: KeyboardEvent,
  { page, rows, columns }: Extent,
): { rows: number; columns: number } | undefined {
  return {
    ArrowDown: { rows: 1, columns: 0 },
    ArrowUp: { rows: -1, columns: 0 },
    ArrowRight: { rows: 0, columns: 1 },
    ArrowLeft: { rows: 0, columns: -1 },
    PageDown: { rows: page, columns: 0 },
    PageUp: { rows: -page, columns: 0 },
    Home: { rows: ctrlKey ? -rows : 0, columns: -columns },
    End: { rows: ctrlKey ? rows : 0, columns },
  }[key];
}

/** Scrolls as little as it takes. */
function show(element: HTMLElement, row: number): void {
  const top = row * rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  const below = top + 2 * rowHeight - element.clientHeight;
  if (below > element.scrollTop) element.scrollTop = below;
}

/** Set through the object model: the policy of the page forbids style attributes in markup, not this. */
const sizeOf = (property: 'width' | 'height' | 'top', px: number) => (element: HTMLElement | null) => {
  element?.style.setProperty(property, `${px}px`);
};
