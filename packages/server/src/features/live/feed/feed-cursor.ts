import { type FeedEpoch, isPosition, type Position } from '../../../platform/change-feed/position.ts';

/** Where a subscriber is. Valid on every node, as long as the epoch lasts and the position is kept. */
export interface FeedCursor {
  readonly epoch: FeedEpoch;
  readonly position: Position;
}

export function formatCursor({ epoch, position }: FeedCursor): string {
  return `${epoch}:${position}`;
}

export function parseCursor(text: string): FeedCursor | undefined {
  const colon = text.indexOf(':');
  const [epoch, position] = [text.slice(0, colon), text.slice(colon + 1)];
  return colon > 0 && isPosition(position) ? { epoch, position } : undefined;
}
