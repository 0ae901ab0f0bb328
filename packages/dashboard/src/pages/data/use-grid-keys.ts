import type { Dispatch, KeyboardEvent, RefObject, SetStateAction } from 'react';
import { type Row, valueAt } from './columns.ts';
import { actionFor, clamp, type GridAction, stepFor } from './grid-keys.ts';
import type { DocumentGridProps } from './grid-props.ts';
import { tableText } from './table-text.ts';

interface Place {
  readonly row: number;
  readonly column: number;
}

interface Grid extends DocumentGridProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly height: number;
  /** Where each column begins, and where the last one ends. */
  readonly edges: readonly number[];
  readonly at: Place;
  readonly setAt: Dispatch<SetStateAction<Place>>;
  readonly rowAt: (index: number) => Row | undefined;
  readonly edit: () => void;
  readonly anchor: RefObject<number>;
  readonly openMenu: (row: number) => void;
}

const widthStep = 24;

/** What the keyboard does in the grid. */
export function useGridKeys(grid: Grid): (event: KeyboardEvent) => void {
  const { scroller, height, at, setAt, columns, rows, start, reach, selection, anchor } = grid;
  const act = (action: GridAction): boolean => {
    const row = grid.rowAt(at.row);
    const column = columns[at.column];
    if (!row || !column) return false;
    const chosen = selection.rows.size > 0 ? [...selection.rows.values()] : [row];
    if (action === 'clear') return leave(grid);
    const work: Readonly<Record<Exclude<GridAction, 'clear'>, () => void>> = {
      open: () => grid.onOpen(row.id, false),
      json: () => grid.onOpen(row.id, true),
      follow: () => grid.onFollow(valueAt(row, column.path)),
      edit: grid.edit,
      toggle: () => selection.toggle(row),
      all: () => selection.add(rows),
      copy: () => grid.onCopy(tableText(selection.rows.size > 0 ? chosen : row, columns, at.column)),
      menu: () => grid.openMenu(at.row),
      delete: () => grid.onRemove(chosen),
      wider: () => grid.onWidth(column.field, column.width + widthStep),
      narrower: () => grid.onWidth(column.field, column.width - widthStep),
    };
    work[action]();
    return true;
  };
  return (event) => {
    const element = scroller.current;
    if (!element || event.target !== element) return;
    const action = actionFor(event);
    if (action !== undefined) {
      if (act(action)) event.preventDefault();
      return;
    }
    const page = Math.floor(element.clientHeight / height) - 2;
    const step = stepFor(event, { page, rows: reach, columns: columns.length });
    if (!step) return;
    event.preventDefault();
    const next = {
      row: clamp(at.row + step.rows, reach),
      column: clamp(at.column + step.columns, columns.length),
    };
    if (!event.shiftKey) anchor.current = next.row;
    else if (step.rows !== 0) {
      const [first, last] = [Math.min(anchor.current, next.row), Math.max(anchor.current, next.row)];
      selection.only(rows.slice(Math.max(0, first - start), Math.max(0, last - start) + 1));
    }
    setAt(next);
    show(element, next, grid);
  };
}

/** One level at a time: first the selection, then what is open. */
function leave({ selection, openId, onClose }: Grid): boolean {
  if (selection.rows.size > 0) selection.clear();
  else if (openId !== undefined) onClose();
  else return false;
  return true;
}

/** Scrolls as little as it takes. */
function show(element: HTMLElement, { row, column }: Place, { height, edges }: Grid): void {
  const top = row * height;
  if (top < element.scrollTop) element.scrollTop = top;
  const below = top + 2 * height - element.clientHeight + scrollBar(element);
  if (below > element.scrollTop) element.scrollTop = below;
  const left = edges[column] ?? 0;
  if (left < element.scrollLeft) element.scrollLeft = left;
  const right = chooserWidth + (edges[column + 1] ?? left) - element.clientWidth;
  if (right > element.scrollLeft) element.scrollLeft = right;
}

/** Of the boxes that select rows: they stay where they are. */
export const chooserWidth = 36;
const scrollBar = (element: HTMLElement): number => (element.scrollWidth > element.clientWidth ? 4 : 0);
