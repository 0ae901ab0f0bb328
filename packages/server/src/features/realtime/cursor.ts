import { isPosition, type Position } from '../../platform/changes/position.ts';

/** Where a subscriber is: good on every node, as long as the epoch lasts and the place is kept. */
export interface Cursor {
  readonly epoch: string;
  readonly position: Position;
}

export function formatCursor({ epoch, position }: Cursor): string {
  return `${epoch}:${position}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const colon = text.indexOf(':');
  const [epoch, position] = [text.slice(0, colon), text.slice(colon + 1)];
  return colon > 0 && isPosition(position) ? { epoch, position } : undefined;
}
