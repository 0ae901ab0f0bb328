import {
  type ClipboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { texts } from '../../texts.ts';
import { type Column, isSystem, type Row, valueAt } from './columns.ts';
import css from './document-grid.module.css';
import { GridHead } from './grid-head.tsx';
import type { DocumentGridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { LinkCard } from './link-card.tsx';
import { collectionNumberOf } from './links.ts';
import { type Spot, spotOf } from './place-below.ts';
import { RowMenu } from './row-menu.tsx';
import { tableText } from './table-text.ts';
import { chooserWidth, useGridKeys } from './use-grid-keys.ts';
import { edgesOf, useColumnWindow, useRowHeight, useWindow } from './use-window.ts';

/** What has lines or is long is better changed in the panel. */
const longestInCell = 1000;
const isShort = (value: unknown): boolean => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= longestInCell && !text.includes('\n');
};

/** A grid of any number of rows. The keyboard moves a cell; the grid keeps the focus, so rows may come and go. */
export function DocumentGrid(props: DocumentGridProps) {
  const { rows, start, reach, columns, selection, openId, changed, onSee, onEdit, onOpen, onAt } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const height = useRowHeight();
  const [at, setAt] = useState({ row: 0, column: 0 });
  const [isEditing, setEditing] = useState(false);
  const [menuAt, setMenuAt] = useState<number>();
  /** What floats above the cells would not scroll with them. */
  const [isQuiet, setQuiet] = useState(false);
  /** Where a range of rows begins. */
  const anchor = useRef(0);
  const [pointed, setPointed] = useState<Spot>();
  const { from, to } = useWindow(scroller, reach, height);
  const edges = useMemo(() => edgesOf(columns), [columns]);
  const { from: first, to: last } = useColumnWindow(scroller, edges);
  const drawn = useMemo(() => columns.slice(first, last), [columns, first, last]);
  useEffect(() => onSee(from, to), [from, to, onSee]);
  useEffect(() => onAt(at.row, at.column), [at, onAt]);
  useEffect(() => {
    if (props.turn > 0) scroller.current?.scrollTo({ top: 0 });
  }, [props.turn]);
  const rowAt = (index: number): Row | undefined => rows[index - start];
  const leave = useCallback(() => {
    setEditing(false);
    scroller.current?.focus({ preventScroll: true });
  }, []);
  const typed = useCallback(
    (row: Row, column: Column, text: string, isNext: boolean) => {
      onEdit(row, column, text);
      leave();
      if (isNext) setAt((now) => ({ ...now, column: Math.min(columns.length - 1, now.column + 1) }));
    },
    [onEdit, leave, columns.length],
  );
  const edit = (place = at) => {
    const [row, column] = [rowAt(place.row), columns[place.column]];
    if (!row || !column || isSystem(column.field)) return;
    if (isShort(valueAt(row, column.path))) setEditing(true);
    else onOpen(row.id, true);
  };
  const onKeyDown = useGridKeys({
    ...props,
    scroller,
    height,
    edges,
    at,
    setAt,
    rowAt,
    edit,
    anchor,
    openMenu: setMenuAt,
  });
  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest('input')) return;
    const place = spotOf(target);
    const row = place && rowAt(place.row);
    if (!row) return;
    const isBox = place.column < 0;
    setAt((now) => (isBox ? { ...now, row: place.row } : place));
    if (!event.shiftKey) anchor.current = place.row;
    if (event.shiftKey) selection.only(rows.slice(...ordered(anchor.current - start, place.row - start)));
    else if (isBox) selection.toggle(row);
    else if (event.ctrlKey || event.metaKey) {
      const { field = 'id', path = [] } = columns[place.column] ?? {};
      if (field === 'id' || !props.onFollow(valueAt(row, path))) selection.toggle(row);
    } else onOpen(row.id, false);
  };
  const onCopy = (event: ClipboardEvent) => {
    if ((event.target as HTMLElement).closest('input')) return;
    const row = rowAt(at.row);
    const text =
      row && tableText(selection.rows.size > 0 ? [...selection.rows.values()] : row, columns, at.column);
    if (text === undefined) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
    props.onCopy('');
  };
  const isDrawn = at.row >= from && at.row < to && at.column >= first && at.column < last;
  const active = isDrawn && rowAt(at.row) ? id : undefined;
  const card = pointed ?? at;
  const pointedValue = linkIn(rowAt(card.row), columns[card.column]);
  const menuRow = menuAt === undefined ? undefined : rowAt(menuAt);
  return (
    <div className={css.frame}>
      <div
        ref={scroller}
        className={css.scroller}
        role="grid"
        aria-label={texts.data.grid}
        aria-rowcount={Math.max(props.total, reach) + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={active}
        tabIndex={0}
        onKeyDown={(event) => {
          setQuiet(false);
          onKeyDown(event);
        }}
        onClick={onClick}
        onDoubleClick={(event) => {
          const place = spotOf(event.target);
          if (place) edit(place);
        }}
        onContextMenu={(event) => {
          const place = spotOf(event.target);
          if (!place) return;
          event.preventDefault();
          setAt({ ...place, column: Math.max(0, place.column) });
          setMenuAt(place.row);
        }}
        onMouseOver={(event) => {
          setPointed(spotOf(event.target));
          setQuiet(false);
        }}
        onScroll={({ currentTarget }) => {
          currentTarget.toggleAttribute('data-shifted', currentTarget.scrollLeft > 0);
          setQuiet(true);
          setMenuAt(undefined);
        }}
        onMouseLeave={() => setPointed(undefined)}
        onFocus={() => setPointed(undefined)}
        onCopy={onCopy}
      >
        <div
          className={css.sizer}
          role="presentation"
          ref={(element) => {
            element?.style.setProperty('height', `${(reach + 1) * height}px`);
            element?.style.setProperty('width', `${chooserWidth + (edges.at(-1) ?? 0)}px`);
            element?.style.setProperty('--before', `${edges[first] ?? 0}px`);
            element?.style.setProperty('--columns', drawn.map(({ width }) => `${width}px`).join(' '));
          }}
        >
          <GridHead
            columns={drawn}
            first={first}
            sort={props.sort}
            isAllSelected={rows.length > 0 && rows.every((row) => selection.rows.has(row.id))}
            onAll={(isAll) => (isAll ? selection.add(rows) : selection.clear())}
            onSort={props.onSort}
            onWidth={props.onWidth}
          />
          {rows.slice(Math.max(0, from - start), Math.max(0, to - start)).map((row, n) => {
            const index = Math.max(from, start) + n;
            return (
              <GridRow
                key={row.id}
                row={row}
                at={index}
                columns={drawn}
                firstColumn={first}
                height={height}
                activeId={id}
                activeColumn={index === at.row ? at.column : undefined}
                editedColumn={isEditing && index === at.row ? at.column : undefined}
                isOpen={row.id === openId}
                isSelected={selection.rows.has(row.id)}
                isChanged={changed.has(row.id)}
                onTyped={typed}
                onLeave={leave}
              />
            );
          })}
        </div>
      </div>
      {pointedValue !== undefined && !isEditing && !isQuiet && menuRow === undefined && (
        <LinkCard
          projectRef={props.projectRef}
          spot={card}
          isPointed={pointed !== undefined}
          value={pointedValue}
        />
      )}
      {menuRow && (
        <RowMenu
          spot={{ row: menuAt ?? 0, column: at.column }}
          row={menuRow}
          onOpen={onOpen}
          onCopy={props.onCopy}
          onRemove={props.onRemove}
          onLeave={() => {
            setMenuAt(undefined);
            scroller.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </div>
  );
}

/** What a cell holds, if that is the id of something else. */
function linkIn(row: Row | undefined, column: Column | undefined): unknown {
  const value = column && column.field !== 'id' ? valueAt(row, column.path) : undefined;
  return collectionNumberOf(value) === undefined ? undefined : value;
}

/** As `slice` takes them. */
const ordered = (a: number, b: number): [number, number] => [
  Math.max(0, Math.min(a, b)),
  Math.max(0, Math.max(a, b)) + 1,
];
