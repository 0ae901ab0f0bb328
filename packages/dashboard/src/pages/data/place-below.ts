/** A cell of the grid, by its numbers in the list. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

/** Rows and columns are counted with the head and the boxes that select, as readers of the screen are told. */
export const cellAt = ({ row, column }: Spot): HTMLElement | null =>
  document.querySelector(`[role="grid"] [aria-rowindex="${row + 2}"] > [aria-colindex="${column + 2}"]`);

/** Which cell something is in; those with boxes that select stand before the first column. */
export function spotOf(target: EventTarget): Spot | undefined {
  const cell = (target as HTMLElement).closest<HTMLElement>('[role="gridcell"]');
  const spot = {
    row: Number(cell?.parentElement?.ariaRowIndex) - 2,
    column: Number(cell?.ariaColIndex) - 2,
  };
  return spot.row >= 0 ? spot : undefined;
}

const gap = 2;

/** Puts something below a cell, or above it where there is no room; both are within the same frame. */
export function placeBelow(element: HTMLElement | null, spot: Spot): void {
  const frame = element?.parentElement?.getBoundingClientRect();
  const cell = cellAt(spot)?.getBoundingClientRect();
  if (!element || !frame || !cell) return;
  const { width, height } = element.getBoundingClientRect();
  const below = cell.bottom - frame.top + gap;
  const isRoom = below + height <= frame.height;
  const top = isRoom ? below : Math.max(0, cell.top - frame.top - height - gap);
  const left = Math.max(0, Math.min(cell.left - frame.left, frame.width - width));
  element.style.setProperty('top', `${top}px`);
  element.style.setProperty('left', `${left}px`);
}
