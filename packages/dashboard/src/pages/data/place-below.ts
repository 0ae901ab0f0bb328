const gap = 2;

/** Puts something below a cell, or above it where there is no room; both are within the same frame. */
export function placeBelow(element: HTMLElement | null, cellId: string): void {
  const frame = element?.parentElement?.getBoundingClientRect();
  const cell = document.getElementById(cellId)?.getBoundingClientRect();
  if (!element || !frame || !cell) return;
  const { width, height } = element.getBoundingClientRect();
  const below = cell.bottom - frame.top + gap;
  const isRoom = below + height <= frame.height;
  const top = isRoom ? below : Math.max(0, cell.top - frame.top - height - gap);
  const left = Math.max(0, Math.min(cell.left - frame.left, frame.width - width));
  element.style.setProperty('top', `${top}px`);
  element.style.setProperty('left', `${left}px`);
}
