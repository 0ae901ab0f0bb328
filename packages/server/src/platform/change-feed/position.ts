/**
 * A place in the write-ahead log of a cell: where a commit ended, and which of its changes. Written as Redis writes the
 * ids of a stream: `<end of the commit>-<number of the change in it>`.
 */
export type Position = string;

/** A stretch of the feed of a cell in which nothing is missing; positions can be compared only within one. */
export type FeedEpoch = string;

/** Before everything. */
export const origin: Position = '0-0';

const form = /^(?:0|[1-9]\d{0,19})-(?:0|[1-9]\d{0,9})$/;

export function isPosition(text: string): boolean {
  return form.test(text);
}

export function positionOf(lsn: bigint, index: number): Position {
  return `${lsn}-${index}`;
}

export function lsnOf(position: Position): bigint {
  return BigInt(position.slice(0, position.indexOf('-')));
}

/** Is `a` before `b`? */
export function isBefore(a: Position, b: Position): boolean {
  const [endA, endB] = [a.indexOf('-'), b.indexOf('-')];
  // Numbers without zeros in front: the longer one is larger.
  if (endA !== endB) return endA < endB;
  if (a.length === b.length) return a < b;
  const [lsnA, lsnB] = [a.slice(0, endA), b.slice(0, endB)];
  if (lsnA !== lsnB) return lsnA < lsnB;
  return indexOf(a) < indexOf(b);
}

export function laterOf(a: Position, b: Position): Position {
  return isBefore(a, b) ? b : a;
}

function indexOf(position: Position): number {
  return Number(position.slice(position.indexOf('-') + 1));
}

/** `16/B374D848`, as PostgreSQL writes it. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;
}
